// The orbitals of wavefunction files, before anything is computed.
#pragma once

#include <string>
#include <vector>

#include "io/text/value_table.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

/// A row for each orbital of each frame. `number` and `choose` are what --orbitals takes: the
/// position in the file, and words such as HOMO. `frames` must outlive the table.
io::ValueTable listing_table(const std::vector<OrbitalFrame>& frames);

/// The same as aligned text with a heading for each frame.
std::string listing_text(const std::vector<OrbitalFrame>& frames);

}  // namespace tessera::orbitals
