#include "kokkos_kernels/device/shared_memory.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

namespace tessera::kernels {

namespace {

std::atomic<int> limit = std::numeric_limits<int>::max();

int available() {
#ifdef KOKKOS_ENABLE_CUDA
    int bytes = 0;
    cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                           Kokkos::Cuda().cuda_device());
    return bytes;
#else
    return 0;
#endif
}

}  // namespace

int shared_bytes_of_gpu() {
    static const int bytes = available();
    return std::min(bytes, limit.load());
}

void limit_shared_bytes(int bytes) { limit = bytes; }

}  // namespace tessera::kernels
