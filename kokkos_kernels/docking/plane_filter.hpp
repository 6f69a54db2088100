// Restricts the translations of a rotation to the plane across its axis, for rings of equal copies.
#pragma once

#include <span>

#include "kokkos_kernels/docking/cell_shape.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/device_problem.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::kernels {

/// The plane of the translations of each base rotation, in grid steps
/// (CorrelationProblem::plane_point).
template <class Device>
struct TranslationPlane {
    bool is_set = false;
    int n = 0, sets = 1;
    double point[3] = {0, 0, 0};
    View2<double, Device> axes;  ///< [base of the batch][3], unit

    /// Takes everything from the problem except the axes.
    void take_over(const CorrelationProblem& problem, int sets_of_problem) {
        is_set = problem.plane_point.has_value();
        n = problem.n;
        sets = sets_of_problem;
        const Vec3 at = problem.plane_point.value_or(Vec3{});
        point[0] = at.x, point[1] = at.y, point[2] = at.z;
        if (is_set && axes.extent(0) == 0)
            axes = View2<double, Device>("plane_axes", bases_per_batch, 3);
    }

    void upload_axes(const typename Device::execution_space& space,
                     std::span<const Quaternion> bases) {
        auto host = Kokkos::create_mirror_view(axes);
        for (std::size_t b = 0; b < bases.size(); ++b) {
            const Vec3 v = axis_of(bases[b]);
            host(b, 0) = v.x, host(b, 1) = v.y, host(b, 2) = v.z;
        }
        Kokkos::deep_copy(space, axes, host);
    }

    /// The axis of the rotation that a transform belongs to. There is one orbit member.
    KOKKOS_FUNCTION const double* axis(int transform) const { return &axes(transform / sets, 0); }

    /// The translation that a grid index stands for.
    KOKKOS_FUNCTION double offset(int index, int direction) const {
        return (index > n / 2 ? index - n : index) - point[direction];
    }

    KOKKOS_FUNCTION bool holds(int transform, int x, int y, int z) const {
        const double* a = axis(transform);
        const double height = a[0] * offset(x, 0) + a[1] * offset(y, 1) + a[2] * offset(z, 2);
        return height <= 0.5 && height >= -0.5;
    }
};

/// minima[transform][cell] as CellMinima makes them, over the translations in the plane alone.
/// Visits few more points than these.
template <class Device>
struct PlaneMinima {
    using Space = typename Device::execution_space;
    View2<const float, Device> scores;  ///< [transform][2 * spectrum_stride]
    View2<float, Device> minima;
    CellShape shape;
    TranslationPlane<Device> plane;

    KOKKOS_FUNCTION void operator()(int transform, int cell) const {
        const int n = shape.n, x = cell / shape.groups(), first = shape.row_begin(cell);
        float best = Kokkos::reduction_identity<float>::min();
        for (int y = first; y < first + shape.row_count(cell); ++y) {
            const float* row = &scores(transform, (std::int64_t{x} * n + y) * shape.row_floats());
            int low, high;
            near(transform, x, y, low, high);
            for (int t = low; t <= high; ++t) {
                const int z = t < 0 ? t + n : t;
                if (plane.holds(transform, x, y, z) && row[z] < best) best = row[z];
            }
        }
        minima(transform, cell) = best;
    }

    /// Bounds of the translations along z that can lie in the plane.
    KOKKOS_FUNCTION void near(int transform, int x, int y, int& low, int& high) const {
        low = plane.n / 2 + 1 - plane.n, high = plane.n / 2;
        const double* a = plane.axis(transform);
        const double slope = a[2] < 0 ? -a[2] : a[2];
        if (slope < 1e-3) return;
        const double height = a[0] * plane.offset(x, 0) + a[1] * plane.offset(y, 1);
        const double middle = plane.point[2] - height / a[2], reach = 0.5 / slope + 1;
        const int from = static_cast<int>(middle - reach), to = static_cast<int>(middle + reach);
        low = from > low ? from : low;
        high = to < high ? to : high;
    }

    void launch(const Space& space, int transforms) const {
        Kokkos::parallel_for("tessera::docking::plane_minima",
                             Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(
                                 space, {0, 0}, {transforms, shape.cells()}),
                             *this);
    }
};

}  // namespace tessera::kernels
