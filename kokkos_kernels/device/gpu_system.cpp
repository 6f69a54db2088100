#include "kokkos_kernels/device/gpu_system.hpp"

#include <algorithm>

#include "kokkos_kernels/device/views.hpp"

namespace tessera::kernels {

namespace {

#ifdef KOKKOS_ENABLE_CUDA
/// The compute capabilities for which nvcc was told to make code.
std::vector<int> compiled_capabilities() {
#ifdef __CUDA_ARCH_LIST__
    std::vector<int> code{__CUDA_ARCH_LIST__};
    for (int& capability : code) capability /= 10;
    return code;
#else
    return {};
#endif
}

Gpu ask_gpu(int number) {
    Gpu gpu;
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, number) != cudaSuccess) return gpu;
    gpu.name = properties.name;
    gpu.capability = 10 * properties.major + properties.minor;
    gpu.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    return gpu;
}

GpuSystem ask_driver() {
    GpuSystem system;
    system.cuda_build = true;
    system.code = compiled_capabilities();
    cudaRuntimeGetVersion(&system.needed_version);
    cudaDriverGetVersion(&system.driver_version);
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
    for (int number = 0; number < count; ++number) system.gpus.push_back(ask_gpu(number));
    return system;
}
#else
GpuSystem ask_driver() { return {}; }
#endif

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

const GpuSystem& gpu_system() {
    if (pretended_gpu_system()) return *pretended_gpu_system();
    static const GpuSystem system = ask_driver();
    return system;
}

std::string capability_text(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

std::string why_no_gpu(const GpuSystem& system) {
    if (!system.cuda_build) return "this program was built without CUDA";
    // Within a major version, programs run with older drivers, too.
    if (system.driver_version > 0 && system.driver_version / 1000 < system.needed_version / 1000)
        return "the driver knows CUDA " + version_text(system.driver_version) +
               ", and this build needs " + version_text(system.needed_version);
    if (system.gpus.empty()) return "the driver shows none to this process";
    if (!usable_gpus(system).empty()) return "";
    return why_not_gpu(system, 0);
}

std::string why_not_gpu(const GpuSystem& system, int number) {
    const Gpu& gpu = system.gpus.at(static_cast<std::size_t>(number));
    if (system.code.empty() || gpu.capability == 0) return "";
    const int least = *std::ranges::min_element(system.code);
    if (gpu.capability >= least) return "";
    return gpu.name + " has compute capability " + capability_text(gpu.capability) +
           ", and this build has code for " + capability_text(least) + " and newer";
}

std::vector<int> usable_gpus(const GpuSystem& system) {
    std::vector<int> numbers;
    for (int number = 0; number < std::ssize(system.gpus); ++number)
        if (why_not_gpu(system, number).empty()) numbers.push_back(number);
    return numbers;
}

std::string names_of_gpus(const GpuSystem& system) {
    std::string text;
    for (int number = 0; number < std::ssize(system.gpus); ++number)
        text += (number ? ", cuda:" : "cuda:") + std::to_string(number) + " (" +
                system.gpus[static_cast<std::size_t>(number)].name + ")";
    return text;
}

}  // namespace tessera::kernels
