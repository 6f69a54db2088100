// Whether the blocks of a kernel find enough shared memory on this process's GPU.
#pragma once

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

/// Bytes of shared memory that a block may have on every GPU with double-precision tensor cores.
/// Compute capability 8.6, 8.9 and 12.0 have no more, 8.0 has 163 KiB, 9.0 and 10.0 have 227 KiB.
inline constexpr int shared_bytes_everywhere = 99 * 1024;

/// Bytes of shared memory that a block may have on this process's GPU. 0 in builds without CUDA.
int shared_bytes_of_gpu();

/// From now on shared_bytes_of_gpu() is at most `bytes`. For tests of what smaller GPUs do.
void limit_shared_bytes(int bytes);

/// Whether a kernel says with a member `may_not_fit` that it may need more than
/// shared_bytes_everywhere, and that another kernel does its work where it does not fit.
template <class Kernel>
inline constexpr bool may_not_fit = false;
template <class Kernel>
requires requires { Kernel::may_not_fit; }
inline constexpr bool may_not_fit<Kernel> = Kernel::may_not_fit;

/// Whether a kernel can be launched.
template <class Kernel, class Device>
bool fits() {
    return is_host<Device> || Kernel::shared_bytes <= shared_bytes_of_gpu();
}

}  // namespace tessera::kernels
