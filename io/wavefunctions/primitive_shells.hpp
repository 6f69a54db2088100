// Orbitals over single Cartesian primitives that are not normalised, as in WFX and WFN files.
#pragma once

#include <vector>

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// The primitives of a file, one per index: nucleus (from 1), type (1 s to 56 h), exponent
/// (bohr^-2).
struct PrimitiveList {
    std::vector<int> centers, types;
    std::vector<double> exponents;
};

/// The index of a primitive among the functions of its shell, and the factor that converts its
/// coefficient to theirs.
struct PrimitivePlace {
    std::size_t function = 0;
    double factor = 1;
};

/// Primitives with the same nucleus, exponent and angular momentum become one Cartesian shell of
/// `frame`. Throws Error that names the scanner's place for invalid types, nuclei and exponents.
std::vector<PrimitivePlace> add_primitive_shells(const TextScanner& scanner,
                                                 const PrimitiveList& primitives,
                                                 Wavefunction& frame);

/// Reads one coefficient for each primitive, over any number of lines, and converts them to
/// coefficients of the shells' functions. Throws Error if one is missing; `number` identifies the
/// orbital in the message.
std::vector<double> read_primitive_coefficients(TextScanner& scanner,
                                                const std::vector<PrimitivePlace>& places,
                                                std::size_t functions, std::size_t number);

}  // namespace tessera::io
