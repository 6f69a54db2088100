#include "kokkos_kernels/device/device_identity.hpp"

#include <fftw3.h>
#include <gnu/libc-version.h>

#include <fstream>

#include "kokkos_kernels/device/views.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#include <cufft.h>
#endif

namespace tessera::kernels {

namespace {

/// The value of the first line of /proc/cpuinfo that begins with `key`.
std::string cpuinfo(const std::string& key) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(key)) continue;
        const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
        return start == std::string::npos ? "" : line.substr(start);
    }
    return "";
}

constexpr const char* compiled_for() {
#if defined(__AVX512F__)
    return "avx512";
#elif defined(__AVX2__)
    return "avx2";
#elif defined(__AVX__)
    return "avx";
#elif defined(__ARM_FEATURE_SVE)
    return "sve";
#elif defined(__ARM_NEON)
    return "neon";
#else
    return "scalar";
#endif
}

/// The C library chooses its mathematical functions by the features of the processor.
std::string found_at_run_time() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return "avx512";
    if (__builtin_cpu_supports("avx2")) return __builtin_cpu_supports("fma") ? "avx2+fma" : "avx2";
    return __builtin_cpu_supports("avx") ? "avx" : "sse";
#else
    return cpuinfo("Features").find(" sve") == std::string::npos ? "neon" : "sve";
#endif
}

}  // namespace

std::string cpu_name() {
    if (const std::string model = cpuinfo("model name"); !model.empty()) return model;
    const std::string implementer = cpuinfo("CPU implementer");
    if (implementer.empty()) return "";
    return "Arm implementer " + implementer + ", part " + cpuinfo("CPU part") + ", variant " +
           cpuinfo("CPU variant") + ", revision " + cpuinfo("CPU revision");
}

std::string cpu_arithmetic() {
    return std::string(compiled_for()) + " code on " + found_at_run_time() + ", " + fftwf_version +
           ", glibc " + gnu_get_libc_version();
}

#ifdef KOKKOS_ENABLE_CUDA
std::string gpu_arithmetic() {
    int version = 0;
    if (cufftGetVersion(&version) != CUFFT_SUCCESS) return "cuFFT of unknown version";
    return "cuFFT " + std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) +
           "." + std::to_string(version % 100);
}
#endif

}  // namespace tessera::kernels
