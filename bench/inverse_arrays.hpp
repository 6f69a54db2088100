// Random grids, comparisons and times for the benchmark of the fused inverse.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/pose_filter.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::kernels::inverse_bench {

#ifdef KOKKOS_ENABLE_CUDA
using Device = CudaDevice;
inline constexpr int members = 24, repeats = 5;
#else
using Device = OpenMPDevice;
inline constexpr int members = 2, repeats = 1;
#endif
using Space = Device::execution_space;
inline constexpr int B = bases_per_batch, channels = 7, transforms = members * B;

/// Uniform in [-1, 1), determined by the counter alone.
KOKKOS_INLINE_FUNCTION float random_value(std::uint64_t counter) {
    std::uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-23F - 1.0F;
}

inline void fill(const Space& space, const RealGrids<Device>& grids, std::uint64_t seed) {
    float* data = grids.data();
    Kokkos::parallel_for(
        "fill",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
            space, 0, static_cast<std::int64_t>(grids.size())),
        KOKKOS_LAMBDA(std::int64_t i) {
            data[i] = random_value(seed + static_cast<std::uint64_t>(i));
        });
}

struct Difference {
    double worst, rms;
};

/// Compares the real grid points of all transforms. Rows are in the in-place layout.
inline Difference compare(const Space& space, const Spectra<Device>& a, const Spectra<Device>& b,
                          int n) {
    const int width = CellShape{n}.row_floats();
    const std::int64_t stride = 2 * FftShape{n}.spectrum_stride();
    const std::int64_t points = FftShape{n}.points();
    const auto* x = reinterpret_cast<const float*>(a.data());
    const auto* y = reinterpret_cast<const float*>(b.data());
    double worst = 0, square = 0;
    Kokkos::parallel_reduce(
        "compare",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, points * transforms),
        KOKKOS_LAMBDA(std::int64_t i, double& high, double& sum) {
            const std::int64_t point = i % points;
            const std::int64_t at = i / points * stride + point / n * width + point % n;
            const double difference = Kokkos::abs(double{x[at]} - double{y[at]});
            high = difference > high || difference != difference ? difference : high;
            sum += double{y[at]} * y[at];
        },
        Kokkos::Max<double>(worst), square);
    return {worst, std::sqrt(square / (static_cast<double>(points) * transforms))};
}

inline std::int64_t unequal(const Space& space, const View2<float, Device>& a,
                            const View2<float, Device>& b) {
    const float *x = a.data(), *y = b.data();
    std::int64_t count = 0;
    Kokkos::parallel_reduce(
        "unequal",
        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
            space, 0, static_cast<std::int64_t>(a.size())),
        KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) { sum += x[i] == y[i] ? 0 : 1; }, count);
    return count;
}

/// Median over repeats, after one run to warm up.
template <class Work>
double microseconds_per_rotation(const Space& space, const Work& work) {
    std::vector<double> times;
    for (int i = 0; i <= repeats; ++i) {
        space.fence();
        const auto start = std::chrono::steady_clock::now();
        work();
        space.fence();
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - start;
        if (i > 0) times.push_back(took.count() / transforms);
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[repeats / 2];
}

}  // namespace tessera::kernels::inverse_bench
