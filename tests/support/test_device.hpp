// The device of a test program, for tests that run whole workloads.
#pragma once

#include "kokkos_kernels/device/device.hpp"

namespace tessera {

/// Starts the device on the first call (TESSERA_TEST_DEVICE, or auto) and keeps it until the last
/// test of the program has run: Kokkos starts only once in a process.
const kernels::DeviceInfo& test_device();

}  // namespace tessera
