// The GPUs that this process sees, and what a build needs of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::kernels {

struct Gpu {
    std::string name;    ///< as the driver calls it, "NVIDIA H200"
    int capability = 0;  ///< compute capability times ten: 90
    std::int64_t memory_bytes = 0;
};

/// Versions of CUDA are 1000 times the first number and ten times the second: 12040 is 12.4.
struct GpuSystem {
    bool cuda_build = false;  ///< whether this program was built with CUDA
    int needed_version = 0;   ///< version of CUDA that the build needs
    int driver_version = 0;   ///< newest version that the driver knows; 0: there is no driver
    std::vector<int> code;    ///< compute capabilities that the build has code for, ascending
    std::vector<Gpu> gpus;    ///< in the order of their numbers
};

/// Asks the driver on the first call. No GPU is started. Builds without CUDA see no GPU.
const GpuSystem& gpu_system();

/// What tests pretend instead, where there are no GPUs.
inline std::optional<GpuSystem>& pretended_gpu_system() {
    static std::optional<GpuSystem> system;
    return system;
}

/// Why this build can use no GPU at all, or nothing: it has no CUDA, the driver is missing or too
/// old, or there is no GPU.
std::string why_no_gpu(const GpuSystem& system);

/// Why GPU `number` cannot run the code of this build, or nothing.
std::string why_not_gpu(const GpuSystem& system, int number);

/// Numbers of the GPUs that can be used.
std::vector<int> usable_gpus(const GpuSystem& system);

/// "cuda:0 (NVIDIA H200), cuda:1 (NVIDIA L4)"
std::string names_of_gpus(const GpuSystem& system);

/// "9.0" for 90
std::string capability_text(int capability);

}  // namespace tessera::kernels
