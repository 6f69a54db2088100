// The rates that a device's arithmetic and memory reach, measured by kernels of a few hundredths of
// a second.
#pragma once

#include "kokkos_kernels/device/device.hpp"

namespace tessera::kernels {

/// Rates of the whole device, or of all threads of a host backend together. A fused multiply-add
/// counts as two operations.
struct DeviceRates {
    double fp32_flops = 0, fp64_flops = 0;
    double bandwidth =
        0;  ///< bytes/s read and written by a sum of two arrays much larger than caches
};

/// Takes about 0.2 s and 200 MiB on a host. A DeviceRuntime must exist. Throws Error if memory runs
/// out.
DeviceRates measure_rates(Backend backend);

}  // namespace tessera::kernels
