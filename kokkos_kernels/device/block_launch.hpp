// Kernels written for blocks of threads that share fast memory. A block can have 99 to 227 KiB of
// it (shared_memory.hpp), while Kokkos' teams stop at 48. On a host, a block has one thread.
//
// A kernel is a struct with `threads`, `blocks_per_unit` (blocks that a multiprocessor should
// hold), `shared_bytes` and a template operator()(block). It walks over its work items with
//     for (int i = block.rank(); i < items; i += block.size)
// so that the size of the block changes nothing in the arithmetic.
#pragma once

#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/device/shared_memory.hpp"

namespace tessera::kernels {

struct HostBlock {
    static constexpr int size = 1;
    int index;
    void* shared;
    KOKKOS_FUNCTION int rank() const { return 0; }
    KOKKOS_FUNCTION void barrier() const {}
    template <int Members>
    KOKKOS_FUNCTION void group_barrier(int) const {}
    KOKKOS_FUNCTION void wait_for_earlier() const {}
    KOKKOS_FUNCTION void let_next_begin() const {}
};

/// Runs `blocks` blocks of the kernel. A thread takes the next block when it is free, because
/// blocks differ in work, and cores in speed.
template <class Kernel>
void launch_blocks(const char* label, const Kokkos::OpenMP& space, int blocks,
                   const Kernel& kernel) {
    using Policy = Kokkos::TeamPolicy<Kokkos::OpenMP, Kokkos::Schedule<Kokkos::Dynamic>>;
    Kokkos::parallel_for(
        label,
        Policy(space, blocks, 1, 1)
            .set_chunk_size(1)
            .set_scratch_size(1, Kokkos::PerTeam(Kernel::shared_bytes + 64)),
        [kernel](const Policy::member_type& team) {
            kernel(HostBlock{team.league_rank(),
                             team.team_scratch(1).get_shmem_aligned(Kernel::shared_bytes, 64)});
        });
}

template <class Kernel>
void load_kernel(const char*, const Kokkos::OpenMP&) {}

#ifdef KOKKOS_ENABLE_CUDA

#ifdef __CUDACC__

template <int Threads>
struct CudaBlock {
    static constexpr int size = Threads;
    int index;
    void* shared;
    __device__ int rank() const { return static_cast<int>(threadIdx.x); }
    __device__ void barrier() const { __syncthreads(); }

    /// Waits for the other members of a group of `Members` consecutive threads, a multiple of 32.
    /// Groups have numbers from 0 to 14.
    template <int Members>
    __device__ void group_barrier(int group) const {
        static_assert(Members % 32 == 0);
        asm volatile("bar.sync %0, %1;" ::"r"(group + 1), "n"(Members) : "memory");
    }

    /// Waits until earlier launches have ended and their writes can be seen. A kernel that begins
    /// early must call it before it reads what they write, or writes what they use.
    __device__ void wait_for_earlier() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    }
    /// Lets the next launch begin, if its kernel begins early, once all blocks have called this.
    __device__ void let_next_begin() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    }
};

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::blocks_per_unit)
    run_block(const __grid_constant__ Kernel kernel) {
    extern __shared__ __align__(128) unsigned char block_shared[];
    kernel(CudaBlock<Kernel::threads>{static_cast<int>(blockIdx.x), block_shared});
}

inline void check_launch(cudaError_t status, const char* label) {
    if (status != cudaSuccess)
        throw Error(std::string(label) + " could not be launched", cudaGetErrorString(status),
                    "restart, or choose another --device", ExitCode::resources);
}

/// Loads a kernel onto the device and permits its use of shared memory. This takes milliseconds the
/// first time. The function is static because CUDA's handles of kernel templates are: each source
/// file has its own handle, which needs its own permission.
template <class Kernel>
static void load_kernel(const char* label, const Kokkos::Cuda&) {
    static_assert(Kernel::shared_bytes <= shared_bytes_everywhere || may_not_fit<Kernel>,
                  "callers must ask fits<Kernel, Device>() first");
    if (Kernel::shared_bytes > shared_bytes_of_gpu())
        throw Error(std::string(label) + " could not be launched",
                    "its blocks need " + std::to_string(Kernel::shared_bytes / 1024) +
                        " KiB of shared memory, and this GPU has " +
                        std::to_string(shared_bytes_of_gpu() / 1024),
                    "choose another --device", ExitCode::resources);
    static const cudaError_t allowed = cudaFuncSetAttribute(
        run_block<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize, Kernel::shared_bytes);
    check_launch(allowed, label);
}

/// Whether blocks of the kernel may start while the previous launch still runs. The kernel must
/// have a member `begins_early` and be compiled for devices that can wait (compute capability 9).
template <class Kernel>
static bool may_begin_early(const char* label) {
    if constexpr (requires { Kernel::begins_early; }) {
        cudaFuncAttributes attributes{};
        check_launch(cudaFuncGetAttributes(&attributes, run_block<Kernel>), label);
        return Kernel::begins_early && attributes.ptxVersion >= 90;
    }
    return false;
}

template <class Kernel>
static void launch_blocks(const char* label, const Kokkos::Cuda& space, int blocks,
                          const Kernel& kernel) {
    load_kernel<Kernel>(label, space);
    static const bool begins_early = may_begin_early<Kernel>(label);
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = static_cast<unsigned>(blocks);
    config.blockDim = Kernel::threads;
    config.dynamicSmemBytes = Kernel::shared_bytes;
    config.stream = space.cuda_stream();
    config.attrs = &early;
    config.numAttrs = begins_early ? 1 : 0;
    check_launch(cudaLaunchKernelEx(&config, run_block<Kernel>, kernel), label);
}

#endif

#endif

}  // namespace tessera::kernels
