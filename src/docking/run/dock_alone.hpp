// A docking by one process alone, from its input to its result. Without MPI
// and without files, so that a process of another language can use it.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "docking/setup/dock_input.hpp"
#include "engine/result_in_memory.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::docking {

/// How a docking alone is carried out. This does not change its result.
struct DockAlone {
    const kernels::DeviceInfo& device;  ///< runs already
    double memory_gib = 0;              ///< limit of the device memory; 0: most of the free memory
    io::RunRecord record;               ///< what is known of the call
    const std::atomic<bool>* stop = nullptr;
    std::function<void()> after_tile;  ///< may set `stop`
};

/// The result that `tessera dock` would write to a file. Poses, clusters and evaluations have the
/// bits that any number of ranks finds on the same kind of device. Throws Error as the command
/// does, and with exit code 75 if it was stopped.
engine::ResultWriter dock_alone(const DockInput& input, const DockAlone& run);

}  // namespace tessera::docking
