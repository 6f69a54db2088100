// Survives the loss of the device. An error for which a library would end the process becomes an
// exception.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kokkos_kernels/device/device.hpp"

namespace tessera::kernels {

/// Whether guard_device() has found that this process can no longer use its device. Such a CUDA
/// error is permanent, for example after an access outside memory or an uncorrectable memory error.
/// From then on, do not destroy objects that hold device memory, and do not finalise Kokkos.
bool device_is_lost();

/// Why the device is lost, in CUDA's words on one line.
std::string reason_of_loss();

/// Shares an object that is destroyed as usual, but not if the device of the process is lost.
template <class Object>
std::shared_ptr<Object> kept_if_lost(std::unique_ptr<Object> object) {
    return {object.release(), [](Object* held) {
                if (!device_is_lost()) delete held;
            }};
}

/// Runs `work`, which computes on the device. Throws DeviceLost if the device is lost meanwhile.
/// Kokkos would end the process for errors from which CUDA cannot recover. This is caught here, and
/// what `work` held is left as it is. Throws TileFailure if an exception of Kokkos means that
/// memory ran out or the device failed. Other exceptions pass through. Only one thread of the
/// process may call this at a time.
void guard_device(const std::function<void()>& work);

/// Ends the device while objects may still hold its memory: Kokkos is finalised, and from then on
/// the device counts as lost, so that such objects are kept. For programs that do not control when
/// objects are destroyed, as Python at its exit.
void end_device(std::unique_ptr<DeviceRuntime> runtime);

/// What tests on hosts pretend, where no device can fail.
struct PretendedFaults {
    std::atomic<bool> lost{false};       ///< the next check finds the device lost
    std::optional<std::string> problem;  ///< what device_problem() finds
};
inline PretendedFaults& pretended_faults() {
    static PretendedFaults faults;
    return faults;
}

/// Runs `work` and returns true. Returns false if `work` called std::abort() on this thread and
/// `expected()`, asked at that moment, allows it. Objects of `work` are then not destroyed.
bool survives_abort(const std::function<void()>& work, bool (*expected)());

}  // namespace tessera::kernels
