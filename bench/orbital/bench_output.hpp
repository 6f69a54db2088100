// Where the kernels write, and how large their errors are.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "bench/c60_case.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::bench {

using kernels::OrbitalProblem;
using kernels::PrimitiveGroup;

/// psi of the folded problem at a point, with all groups, in double.
inline double reference(const OrbitalProblem& problem, int orbital, Vec3 point) {
    double sum = 0;
    for (const PrimitiveGroup& group : problem.groups) {
        const Vec3 d = point - group.center;
        double polynomial = 0;
        int m = group.first;
        for (int degree = 0; degree <= group.l; ++degree)
            for (int i = degree; i >= 0; --i)
                for (int j = degree - i; j >= 0; --j)
                    polynomial += problem.coefficients[orbital][m++] * std::pow(d.x, i) *
                                  std::pow(d.y, j) * std::pow(d.z, degree - i - j);
        sum += polynomial * std::exp(-group.exponent * dot(d, d));
    }
    return sum;
}

/// Memory where the kernels write: the device's own, or the host's.
class Output {
  public:
    Output(bool on_device, std::size_t bytes) : bytes_(bytes) {
#ifdef KOKKOS_ENABLE_CUDA
        if (on_device) {
            device_ = Kokkos::View<char*, Kokkos::CudaSpace>(
                Kokkos::view_alloc(Kokkos::WithoutInitializing, "out"), bytes);
            return;
        }
#endif
        (void)on_device;
        host_ = Kokkos::View<char*, Kokkos::HostSpace>("out", bytes);
    }
    void* data() const {
#ifdef KOKKOS_ENABLE_CUDA
        if (device_.data() != nullptr) return device_.data();
#endif
        return host_.data();
    }
    /// Reads `count` values from `first` on.
    template <class Real>
    std::vector<Real> read(std::int64_t first, std::int64_t count) const {
        std::vector<Real> values(count);
        using Range = std::pair<std::size_t, std::size_t>;
        const Range range(first * sizeof(Real), (first + count) * sizeof(Real));
        Kokkos::View<char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> to(
            reinterpret_cast<char*>(values.data()), count * sizeof(Real));
#ifdef KOKKOS_ENABLE_CUDA
        if (device_.data() != nullptr) {
            Kokkos::deep_copy(to, Kokkos::subview(device_, range));
            return values;
        }
#endif
        Kokkos::deep_copy(to, Kokkos::subview(host_, range));
        return values;
    }

  private:
    std::size_t bytes_;
#ifdef KOKKOS_ENABLE_CUDA
    Kokkos::View<char*, Kokkos::CudaSpace> device_;
#endif
    Kokkos::View<char*, Kokkos::HostSpace> host_;
};

/// Largest error on sample points, relative to the grid's max |psi|. `slot` counts grids of the
/// output.
template <class Real>
double error(const OrbitalProblem& problem, const Output& out, int orbital, int slot) {
    constexpr int samples = 2000;
    const std::int64_t size = problem.grid.size();
    const std::vector<Real> values = out.read<Real>(slot * size, size);
    const auto& n = problem.grid.shape;
    double worst = 0, largest = 0;
    for (int s = 0; s < samples; ++s) {
        const auto at = static_cast<std::int64_t>((uniform(s) + 1) / 2 * static_cast<double>(size));
        const double want = reference(
            problem, orbital, problem.grid.point(at % n[0], at / n[0] % n[1], at / (n[0] * n[1])));
        worst = std::max(worst, std::abs(want - static_cast<double>(values[at])));
    }
    for (const Real value : values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return worst / largest;
}

inline double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

}  // namespace tessera::bench
