// The programs of a portable installation, and which of them this processor runs.
#pragma once

#include <array>

namespace tessera {

struct ProcessorLevel {
    const char* name;  ///< of the folder in libexec/tessera, and of GCC's -march but for "cuda"
    bool runs_here;
};

/// The widest vector units first, and last the build with CUDA, which is made for AVX2. A processor
/// with these units has the smaller parts of its level, too. The system must have switched AVX and
/// AVX-512 on, which GCC's functions take into account.
inline std::array<ProcessorLevel, 4> processor_levels() {
#if defined(__x86_64__)
    const bool third = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool fourth = third && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    constexpr bool first = true;
#else
    constexpr bool first = false, third = false, fourth = false;
#endif
    return {{{"x86-64-v4", fourth}, {"x86-64-v3", third}, {"x86-64", first}, {"cuda", third}}};
}

}  // namespace tessera
