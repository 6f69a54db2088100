// Sums of compensated arrays on the device of this rank.
#pragma once

#include <memory>

#include "core/device_operations.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::kernels {

/// Makes the operations for arrays in the backend's memory: on the GPU, or on the host. The object
/// must be destroyed before the DeviceRuntime. A GPU adds with the same bits as a host.
std::unique_ptr<DeviceOperations> make_device_operations(Backend backend);

}  // namespace tessera::kernels
