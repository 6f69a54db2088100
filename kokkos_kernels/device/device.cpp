#include "kokkos_kernels/device/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "kokkos_kernels/device/device_binding.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/device/device_identity.hpp"
#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

namespace {

int visible_gpus() {
#ifdef KOKKOS_ENABLE_CUDA
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
#else
    return 0;
#endif
}

#ifdef KOKKOS_ENABLE_CUDA
/// With less free memory on a GPU, even libraries and kernels cannot be loaded.
constexpr std::size_t least_bytes = std::size_t{1} << 28;

/// Creates the context, and checks that other programs have left enough memory.
cudaError_t try_gpu(int gpu) {
    cudaError_t status = cudaSetDevice(gpu);
    if (status == cudaSuccess) status = cudaFree(nullptr);
    void* some = nullptr;
    if (status == cudaSuccess) status = cudaMalloc(&some, least_bytes);
    if (status == cudaSuccess) status = cudaFree(some);
    return status;
}

/// The UUID in hexadecimal digits, or the GPU's number if the driver does not tell the UUID.
std::string uuid_of(int gpu) {
    CUuuid uuid;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGetUuid_v2(&uuid, gpu) != CUDA_SUCCESS)
        return std::to_string(gpu);
    std::string text;
    for (const char byte : uuid.bytes) {
        const auto value = static_cast<unsigned char>(byte);
        text += {"0123456789abcdef"[value / 16], "0123456789abcdef"[value % 16]};
    }
    return text;
}
#endif

std::optional<int> gpu_of_rank;  ///< the GPU that device_problem() has tried
int gpu_sharers = 0;             ///< 0: unknown

/// The number of the GPU that a rank takes, among the GPUs that it sees.
int gpu_of(int node_rank, int gpus) {
    return gpu_of_rank.value_or(bind_device(node_rank, 1, gpus).device);
}

Backend choose(const DeviceRequest& request, int gpus) {
    if (request.device == "cuda" && gpus == 0)
        throw Error("no CUDA device",
#ifdef KOKKOS_ENABLE_CUDA
                    "the driver shows none to this process",
#else
                    "this program was built without CUDA",
#endif
                    "use --device openmp, or the CUDA build on a GPU node", ExitCode::resources);
#ifdef KOKKOS_ENABLE_CUDA
    if (gpus == 0)
        throw Error("this CUDA build cannot start", "the driver shows no GPU to this process",
                    "run the host build of tessera on this node", ExitCode::resources);
#endif
    if (request.device == "cuda" || (request.device == "auto" && gpus > 0)) return Backend::cuda;
    if (request.device == "serial") return Backend::serial;
    if (request.device == "openmp" || request.device == "auto") return Backend::openmp;
    throw Error("unknown device '" + request.device + "'",
                "--device takes auto, cuda, openmp, serial", "choose one of them");
}

int host_threads(const DeviceRequest& request, Backend backend) {
    if (backend == Backend::serial) return 1;
    if (request.threads > 0) return request.threads;
    if (const char* text = std::getenv("OMP_NUM_THREADS"); text && std::atoi(text) > 0)
        return std::atoi(text);
    return request.cores > 0 ? request.cores : core_share(0, {allowed_cores()});
}

void start_kokkos(const Kokkos::InitializationSettings& settings) {
    try {
        Kokkos::initialize(settings);
    } catch (const std::runtime_error& failure) {
        throw Error("the device cannot start", failure.what(),
                    "see nvidia-smi: other programs may hold its memory", ExitCode::resources);
    }
}

}  // namespace

std::string name_of(Backend backend) {
    switch (backend) {
        case Backend::cuda: return "cuda";
        case Backend::openmp: return "openmp";
        default: return "serial";
    }
}

std::optional<std::string> device_problem([[maybe_unused]] int node_rank) {
    if (pretended_faults().problem) return pretended_faults().problem;
#ifdef KOKKOS_ENABLE_CUDA
    const int gpus = visible_gpus();
    if (gpus == 0) return "the driver shows no GPU to this process";
    gpu_of_rank = node_rank % gpus;
    const cudaError_t status = try_gpu(*gpu_of_rank);
    if (status != cudaSuccess)
        return "GPU " + std::to_string(*gpu_of_rank) + ": " + cudaGetErrorString(status);
#endif
    return std::nullopt;
}

std::string gpu_name([[maybe_unused]] int node_rank) {
#ifdef KOKKOS_ENABLE_CUDA
    if (const int gpus = visible_gpus(); gpus > 0) return uuid_of(gpu_of(node_rank, gpus));
#endif
    return "";
}

void set_gpu_sharers(int ranks) { gpu_sharers = ranks; }

DeviceRuntime::DeviceRuntime(const DeviceRequest& request) {
    const int gpus = visible_gpus();
    info_.backend = choose(request, gpus);
    info_.threads = host_threads(request, info_.backend);

    // This silences Kokkos' advice to set it. OpenMP read its environment when it was loaded, so
    // nothing else changes.
    setenv("OMP_PROC_BIND", "false", 0);
    Kokkos::InitializationSettings settings;
    settings.set_num_threads(info_.threads);
    settings.set_disable_warnings(true);
    if (gpus > 0) settings.set_device_id(gpu_of(request.node_rank, gpus));
    start_kokkos(settings);

    info_.name = cpu_name();
    info_.arithmetic = cpu_arithmetic();
    info_.memory_bytes = host_memory("MemTotal");
    info_.available_bytes = host_memory("MemAvailable") / std::max(1, request.node_size);
#ifdef KOKKOS_ENABLE_CUDA
    if (info_.backend == Backend::cuda) {
        std::size_t free_bytes = 0, total_bytes = 0;
        cudaMemGetInfo(&free_bytes, &total_bytes);
        info_.name = Kokkos::Cuda().cuda_device_prop().name;
        info_.arithmetic = gpu_arithmetic();
        info_.memory_bytes = static_cast<std::int64_t>(total_bytes);
        const DeviceBinding binding =
            bind_device(request.node_rank, std::max(1, request.node_size), gpus);
        info_.available_bytes = static_cast<std::int64_t>(free_bytes) /
                                (gpu_sharers > 0 ? gpu_sharers : binding.sharers);
    }
#endif
}

DeviceRuntime::~DeviceRuntime() {
    if (!device_is_lost()) Kokkos::finalize();
}

std::shared_ptr<std::byte[]> host_buffer([[maybe_unused]] Backend backend, std::size_t bytes) {
#ifdef KOKKOS_ENABLE_CUDA
    if (backend == Backend::cuda) {
        using Pinned = Kokkos::CudaHostPinnedSpace;
        try {
            return {static_cast<std::byte*>(
                        Kokkos::kokkos_malloc<Pinned>("tessera::host_buffer", bytes)),
                    [](std::byte* memory) {
                        if (!device_is_lost()) Kokkos::kokkos_free<Pinned>(memory);
                    }};
        } catch (const std::runtime_error&) {
            throw std::bad_alloc();
        }
    }
#endif
    return std::shared_ptr<std::byte[]>(new std::byte[bytes]);
}

}  // namespace tessera::kernels
