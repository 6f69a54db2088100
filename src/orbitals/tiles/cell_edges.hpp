// The box along x, y and z that holds one cell of a periodic system.
#pragma once

#include <optional>
#include <vector>

#include "core/lattice.hpp"
#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// The edges of a box along x, y and z that covers space once when the lattice moves it. A sum over
/// its points is therefore an integral over a cell. Nothing if the lattice has no vector along an
/// axis, or none in a plane of this axis and another one.
std::optional<Vec3> box_of_cell(const Lattice& lattice);

/// The edges of that box, in bohr. Throws Error if a frame has no lattice, if the lattices differ,
/// or if there is no such box.
Vec3 cell_edges(const std::vector<const io::Wavefunction*>& frames);

}  // namespace tessera::orbitals
