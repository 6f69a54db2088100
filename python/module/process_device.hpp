// The device of the Python process. Kokkos starts once, on first use, and lives until the process
// ends: arrays on the device may live as long.
#pragma once

#include <atomic>
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

/// How a long computation learns that the user has interrupted it.
struct Interruption {
    std::atomic<bool> stop{false};
    /// Lets Python handle its signals, and sets `stop` if one of them raised an exception.
    std::function<void()> look;
};

/// Runs `work` likewise. It guards the device itself. If a signal has ended it, throws Python's
/// exception, such as KeyboardInterrupt.
void compute_long(const std::function<void(Interruption&)>& work);

}  // namespace tessera::python
