// The rotations that a docking searches.
#pragma once

#include "docking/search/rotation_set.hpp"
#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// The rotations of the input. One rank makes them and sends them to the others, because computed
/// sets depend on the machine's mathematical functions.
RotationSet choose_rotations(const DockInput& input);

}  // namespace tessera::docking
