// Sums of compensated arrays on the device of this rank.
#pragma once

#include <memory>

#include "core/device_operations.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::kernels {

/// For arrays where the backend keeps them: in GPU memory, or on the host. To be dropped before the
/// DeviceRuntime. A GPU adds with the same bits as a host.
std::unique_ptr<DeviceOperations> make_device_operations(Backend backend);

}  // namespace tessera::kernels
