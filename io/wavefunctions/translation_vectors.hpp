// The cell of formats that give one to three translation vectors.
#pragma once

#include <vector>

#include "io/text/text_scanner.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::io {

/// Takes x, y, z (bohr) of the vectors of a polymer, a layer or a crystal as the frame's lattice.
/// In directions in which the system does not repeat, the lattice gets vectors of 90,000 bohr,
/// normal to the others: no function reaches that far. Throws Error if there are more than three,
/// or if they span no cell.
void take_translation_vectors(const TextScanner& scanner, const std::vector<double>& values,
                              Wavefunction& frame);

}  // namespace tessera::io
