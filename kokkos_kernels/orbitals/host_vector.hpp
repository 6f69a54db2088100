// 64 bytes of numbers in the vector registers of a host's processor.
#pragma once

#include <cstring>

#include "kokkos_kernels/device/block_tools.hpp"

namespace tessera::kernels {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class Real>
struct HostRegister;
template <>
struct HostRegister<float> {
    typedef float type __attribute__((vector_size(register_bytes)));
};
template <>
struct HostRegister<double> {
    typedef double type __attribute__((vector_size(register_bytes)));
};

/// A row of 64 bytes, in as many registers as that takes. GCC keeps a vector type that is larger
/// than a register in memory instead, which made loops over AVX2 registers half as fast.
template <class Real>
struct HostVector {
    static constexpr int size = 64 / static_cast<int>(sizeof(Real));
    static constexpr int registers = 64 / register_bytes;
    static constexpr int numbers = size / registers;  ///< in each of them
    using Part = typename HostRegister<Real>::type;
    Part parts[registers];

    static HostVector load(const Real* from) {
        HostVector all;
        TESSERA_UNROLL_ALL
        for (int i = 0; i < registers; ++i)
            std::memcpy(&all.parts[i], from + i * numbers, sizeof(Part));
        return all;
    }
    void store(Real* to) const {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < registers; ++i) std::memcpy(to + i * numbers, &parts[i], sizeof(Part));
    }

    HostVector& operator+=(const HostVector& b) {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < registers; ++i) parts[i] += b.parts[i];
        return *this;
    }
    friend HostVector operator+(HostVector a, const HostVector& b) { return a += b; }
    friend HostVector operator+(HostVector a, Real b) {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < registers; ++i) a.parts[i] += b;
        return a;
    }
    friend HostVector operator-(HostVector a, Real b) {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < registers; ++i) a.parts[i] -= b;
        return a;
    }
    friend HostVector operator*(HostVector a, const HostVector& b) {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < registers; ++i) a.parts[i] *= b.parts[i];
        return a;
    }
    friend HostVector operator*(Real a, HostVector b) {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < registers; ++i) b.parts[i] *= a;
        return b;
    }
};

}  // namespace tessera::kernels
