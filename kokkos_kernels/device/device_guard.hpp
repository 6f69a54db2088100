// Survives the loss of the device: what a library ends the process for becomes an exception.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kokkos_kernels/device/device.hpp"

namespace tessera::kernels {

/// Whether guard_device() has found that this process can use its device no more: a CUDA error that is
/// there to stay, as after a kernel's access outside its memory or an uncorrectable memory error. What
/// has device memory must not be destroyed from then on, nor Kokkos be finalised.
bool device_is_lost();

/// Why it is, in CUDA's words; one line.
std::string reason_of_loss();

/// The object in hands that destroy it, but for a process whose device is lost.
template <class Object>
std::shared_ptr<Object> kept_if_lost(std::unique_ptr<Object> object) {
    return {object.release(), [](Object* held) {
                if (!device_is_lost()) delete held;
            }};
}

/// Runs `work`, which computes on the device. Throws DeviceLost where that happens meanwhile
/// (Kokkos ends the process for the errors that CUDA cannot recover from: that is caught here, and what
/// `work` held is left as it is) and TileFailure where an exception of Kokkos means that memory ran out or that
/// the device failed; everything else passes. One thread of the process at a time.
void guard_device(const std::function<void()>& work);

/// For tests on hosts, which have no device to lose: the next look finds it lost.
void pretend_device_lost();

/// Runs `work` and returns true; false where it called std::abort() on this thread and `expected()`,
/// asked then and there, says that this may be survived. Nothing of `work` is destroyed in that case.
bool survives_abort(const std::function<void()>& work, bool (*expected)());

}  // namespace tessera::kernels
