#include "kokkos_kernels/device/device.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "core/error.hpp"
#include "core/host_memory.hpp"
#include "core/large_pages.hpp"
#include "kokkos_kernels/device/device_binding.hpp"
#include "kokkos_kernels/device/device_choice.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/device/device_identity.hpp"
#include "kokkos_kernels/device/gpu_system.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"
#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

namespace {

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

std::optional<DevicePlace> place_of_rank;  ///< the one that device_problem() has tried
int gpu_sharers = 0;                       ///< 0: unknown
double gpu_fraction = 1;

#ifdef KOKKOS_ENABLE_CUDA
/// How many ranks of the node take the same place. `places`: those that they take in turn.
int sharers_of_place(const DeviceRequest& request, std::size_t places) {
    if (gpu_sharers > 0) return gpu_sharers;
    return bind_device(request.node_rank, std::max(1, request.node_size), static_cast<int>(places))
        .sharers;
}
#endif

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

std::optional<std::string> device_problem([[maybe_unused]] const std::string& devices,
                                          [[maybe_unused]] int node_rank) {
    if (pretended_faults().problem) return pretended_faults().problem;
#ifdef KOKKOS_ENABLE_CUDA
    try {
        place_of_rank = choose_place(devices, node_rank, gpu_system());
    } catch (const Error& error) {
        return error.what();
    }
    const cudaError_t status = try_gpu(place_of_rank->gpu);
    if (status != cudaSuccess)
        return "GPU " + std::to_string(place_of_rank->gpu) + ": " + cudaGetErrorString(status);
#endif
    return std::nullopt;
}

std::string gpu_name([[maybe_unused]] const std::string& devices, [[maybe_unused]] int node_rank) {
#ifdef KOKKOS_ENABLE_CUDA
    try {
        const DevicePlace place =
            place_of_rank ? *place_of_rank : choose_place(devices, node_rank, gpu_system());
        if (place.backend == Backend::cuda) return uuid_of(place.gpu);
    } catch (const Error&) {  // the DeviceRuntime throws it again
    }
#endif
    return "";
}

void set_gpu_share(int ranks, double fraction) {
    gpu_sharers = ranks;
    gpu_fraction = fraction;
}

DeviceRuntime::DeviceRuntime(const DeviceRequest& request) {
    const DevicePlace place = place_of_rank
                                  ? *place_of_rank
                                  : choose_place(request.device, request.node_rank, gpu_system());
    info_.backend = place.backend;
    info_.threads = host_threads(request, info_.backend);

    // This silences Kokkos' advice to set it. OpenMP read its environment when it was loaded, so
    // nothing else changes.
    setenv("OMP_PROC_BIND", "false", 0);
    Kokkos::InitializationSettings settings;
    settings.set_num_threads(info_.threads);
    settings.set_disable_warnings(true);
    if (place.gpu >= 0) settings.set_device_id(place.gpu);
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
        info_.available_bytes =
            gpu_share(static_cast<std::int64_t>(free_bytes), info_.memory_bytes,
                      sharers_of_place(request, places_named(request.device, gpu_system()).size()),
                      gpu_fraction);
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
    std::shared_ptr<std::byte[]> memory(new std::byte[bytes]);
    prefer_large_pages(memory.get(), bytes);
    return memory;
}

}  // namespace tessera::kernels
