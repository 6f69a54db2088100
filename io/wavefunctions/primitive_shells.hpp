// Orbitals over single Cartesian primitives that are not normalised, as WFX and WFN files have them.
#pragma once

#include <vector>

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// The primitives of a file, one an entry: nucleus (from 1), type (1 s to 56 h), exponent (bohr^-2).
struct PrimitiveList {
    std::vector<int> centers, types;
    std::vector<double> exponents;
};

/// Where a primitive stands among the functions of its shell, and the factor from its coefficient to
/// theirs.
struct PrimitivePlace {
    std::size_t function = 0;
    double factor = 1;
};

/// Primitives of one nucleus, exponent and angular momentum become a Cartesian shell of `frame`. Throws
/// Error, naming the scanner's place, for types, nuclei and exponents that cannot be.
std::vector<PrimitivePlace> add_primitive_shells(const TextScanner& scanner,
                                                 const PrimitiveList& primitives,
                                                 Wavefunction& frame);

/// Reads a coefficient a primitive, over any number of lines, into those of the shells' functions. Throws
/// Error where one is missing; `number` is what the message calls the orbital.
std::vector<double> read_primitive_coefficients(TextScanner& scanner,
                                                const std::vector<PrimitivePlace>& places,
                                                std::size_t functions, std::size_t number);

}  // namespace tessera::io
