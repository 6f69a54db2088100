// The shapes of atoms and bonds, which scenes place, turn and scale.
#pragma once

#include "io/fields/mesh_writer.hpp"

namespace tessera::io {

/// A ball of radius 1 around the origin.
Mesh ball();

/// The side of a rod of radius 1 along z, from 0 to 1. Its ends are open.
Mesh rod();

}  // namespace tessera::io
