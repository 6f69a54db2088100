// The device of the Python process. Kokkos starts once, on first use, and lives until the process
// ends: arrays on the device may live as long.
#pragma once

#include <functional>
#include <string>

#include "kokkos_kernels/device/device.hpp"

namespace tessera::python {

/// Starts the device, or returns the one that runs. Throws Error if another device or another
/// number of threads runs already, or if this process was forked from one where a device runs.
/// `threads` 0: OMP_NUM_THREADS, or else one for each core.
const kernels::DeviceInfo& start_device(const std::string& device, int threads);

/// The device that runs, which is started ("auto") if there is none.
const kernels::DeviceInfo& running_device();

/// Runs `work` on the device without Python's lock, one call of all threads at a time. Throws Error
/// for failures of the device.
void compute(const std::function<void()>& work);

}  // namespace tessera::python
