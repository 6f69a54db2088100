// What a docking of one pair and of many have in common.
#pragma once

#include <string>

#include "docking/prepare.hpp"
#include "docking/rotation_set.hpp"
#include "io/sha256.hpp"
#include "mpi/communicator.hpp"

namespace tessera::cli {

/// Collective: rank 0's rotations, which may have been computed with its own mathematical functions.
inline void broadcast(const mpi::Communicator& world, docking::RotationSet& rotations) {
    world.broadcast(rotations.bases);
    world.broadcast(rotations.group);
    world.broadcast(rotations.description);
    world.broadcast(rotations.sha256);
}

/// Rotations that are made here have the last bits of the machine that made them: a run goes on with
/// the same ones only.
inline std::string hash_with_rotations(const docking::PreparedDocking& prepared) {
    const auto& bases = prepared.rotations.bases;
    return io::sha256_of(
        prepared.input_sha256 +
        std::string(reinterpret_cast<const char*>(bases.data()), bases.size() * sizeof(bases[0])));
}

}  // namespace tessera::cli
