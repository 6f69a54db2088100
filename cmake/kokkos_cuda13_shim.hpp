// Force-included into every CUDA source: the two runtime calls of Kokkos 4.7 whose signatures
// CUDA 13 changed, as overloads that forward to the new ones. Empty before CUDA 13.
#pragma once

#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count) {
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

inline cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, int device,
                                        cudaStream_t stream = nullptr) {
    cudaMemLocation location{};
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return cudaMemPrefetchAsync(memory, bytes, location, 0u, stream);
}

#endif
