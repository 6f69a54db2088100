// What a docking of one pair and of many have in common.
#pragma once

#include "docking/rotation_set.hpp"
#include "mpi/communicator.hpp"

namespace tessera::cli {

/// Collective: rank 0's rotations, which may have been computed with its own mathematical functions.
inline void broadcast(const mpi::Communicator& world, docking::RotationSet& rotations) {
    world.broadcast(rotations.bases);
    world.broadcast(rotations.group);
    world.broadcast(rotations.description);
}

}  // namespace tessera::cli
