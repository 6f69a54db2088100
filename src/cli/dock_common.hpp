// What a docking of one pair and of many have in common.
#pragma once

#include <cstdint>

#include "docking/rotation_set.hpp"
#include "kokkos_kernels/device.hpp"
#include "mpi/communicator.hpp"

namespace tessera::cli {

/// Memory a rank may take: asked for, or nine tenths of what is free on a GPU and half on a host
/// (whose page cache and other ranks live there too).
inline std::int64_t memory_budget(const kernels::DeviceInfo& device, double asked_gib) {
    if (asked_gib > 0) return static_cast<std::int64_t>(asked_gib * 0x1p30);
    const std::int64_t free = device.available_bytes;
    return device.backend == kernels::Backend::cuda ? free - free / 10 : free / 2;
}

/// Collective: rank 0's rotations, which may have been computed with its own mathematical functions.
inline void broadcast(const mpi::Communicator& world, docking::RotationSet& rotations) {
    world.broadcast(rotations.bases);
    world.broadcast(rotations.group);
    world.broadcast(rotations.description);
}

}  // namespace tessera::cli
