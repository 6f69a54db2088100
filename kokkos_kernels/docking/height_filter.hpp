// Restricts the translations of a rotation by the heights of the ligand over a plane, for membranes
// (HeightRule).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kokkos_kernels/docking/cell_shape.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/device_problem.hpp"

namespace tessera::kernels {

/// The heights of translations that each rotation may have, in grid steps. Rotations are numbered
/// by member * bases_per_batch + base.
template <class Device>
struct HeightFilter {
    bool is_set = false, inside = false;
    int n = 0, sets = 1;
    int first_rotation = 0;        ///< that of transform 0
    double low = 0, high = 0;      ///< of the ligand's points
    View2<double, Device> points;  ///< [point][3], Angstrom from the ligand's centre
    View2<double, Device> axes;    ///< [member][3], the normal on each member's own grid
    View2<double, Device> bounds;  ///< [rotation][2], of the heights of translations

    void take_over(const CorrelationProblem& problem, int sets_of_problem) {
        is_set = problem.heights.has_value();
        if (!is_set) return;
        const HeightRule& rule = *problem.heights;
        inside = rule.inside, n = problem.n, sets = sets_of_problem;
        low = rule.low / problem.spacing, high = rule.high / problem.spacing;
        std::vector<Vec3> normals;
        normals.reserve(problem.group.size());
        for (const SignedPermutation& g : problem.group)
            normals.push_back(g.inverse().matrix() * rule.normal);
        points = uploaded("height_points", rule.points);
        axes = uploaded("height_axes", normals);
        bounds = View2<double, Device>("height_bounds", problem.group.size() * bases_per_batch, 2);
    }

    static View2<double, Device> uploaded(const std::string& label,
                                          const std::vector<Vec3>& vectors) {
        View2<double, Device> view(label, vectors.size(), 3);
        auto host = Kokkos::create_mirror_view(view);
        for (std::size_t i = 0; i < vectors.size(); ++i)
            host(i, 0) = vectors[i].x, host(i, 1) = vectors[i].y, host(i, 2) = vectors[i].z;
        Kokkos::deep_copy(view, host);
        return view;
    }

    /// The translation that a grid index stands for.
    KOKKOS_FUNCTION int offset(int index) const { return index > n / 2 ? index - n : index; }

    /// A translation by n / 2 and one by -n / 2 are the same, so their height is not defined.
    KOKKOS_FUNCTION bool holds(int transform, int x, int y, int z) const {
        if (x == n / 2 || y == n / 2 || z == n / 2) return false;
        const int rotation = first_rotation + transform / sets;
        const double* a = &axes(rotation / bases_per_batch, 0);
        const double height = a[0] * offset(x) + a[1] * offset(y) + a[2] * offset(z);
        const double* bound = &bounds(rotation, 0);
        return inside ? height >= bound[0] && height <= bound[1]
                      : height <= bound[0] || height >= bound[1];
    }
};

/// Computes the bounds of all rotations of a batch from the extents of the turned points.
template <class Device>
struct HeightBounds {
    using Space = typename Device::execution_space;
    using Policy = Kokkos::TeamPolicy<Space>;
    using Extents = Kokkos::MinMax<double>;
    using Range = typename Extents::value_type;

    HeightFilter<Device> filter;
    View2<double, Device> rotations;  ///< [base][9], row-major, divided by the spacing

    KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
        const int rotation = team.league_rank();
        const double* r = &rotations(rotation % bases_per_batch, 0);
        const double* a = &filter.axes(rotation / bases_per_batch, 0);
        double along[3];  // the normal in the frame of the ligand
        for (int i = 0; i < 3; ++i) along[i] = a[0] * r[i] + a[1] * r[3 + i] + a[2] * r[6 + i];
        Range range;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, static_cast<int>(filter.points.extent(0))),
            [&](int i, Range& so_far) {
                const double* p = &filter.points(i, 0);
                const double height = along[0] * p[0] + along[1] * p[1] + along[2] * p[2];
                so_far.min_val = height < so_far.min_val ? height : so_far.min_val;
                so_far.max_val = height > so_far.max_val ? height : so_far.max_val;
            },
            Extents(range));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
            filter.bounds(rotation, 0) =
                filter.low - (filter.inside ? range.min_val : range.max_val);
            filter.bounds(rotation, 1) =
                filter.high - (filter.inside ? range.max_val : range.min_val);
        });
    }

    void launch(const Space& space, int count) const {
        const Policy policy =
            is_host<Device> ? Policy(space, count, 1, 1) : Policy(space, count, 4, 32);
        Kokkos::parallel_for("tessera::docking::height_bounds", policy, *this);
    }
};

/// minima[transform][cell] as CellMinima makes them, over the translations that the filter holds.
/// Takes one score of each transform as a sample: a failed transform has no finite score at all.
template <class Device>
struct HeightMinima {
    using Space = typename Device::execution_space;
    using Policy = Kokkos::TeamPolicy<Space>;
    View2<const float, Device> scores;  ///< [transform][2 * spectrum_stride]
    View2<float, Device> minima;
    View1<float, Device> samples;
    CellShape shape;
    HeightFilter<Device> filter;
    static constexpr int cells_per_team = 8;

    KOKKOS_FUNCTION int teams() const {
        return (shape.cells() + cells_per_team - 1) / cells_per_team;
    }

    KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
        const int transform = team.league_rank() / teams();
        const int first = team.league_rank() % teams() * cells_per_team;
        const int last =
            first + cells_per_team < shape.cells() ? first + cells_per_team : shape.cells();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](int cell) {
            const float best = cell_minimum(team, transform, cell);
            Kokkos::single(Kokkos::PerThread(team), [&] {
                minima(transform, cell) = best;
                if (cell == 0) samples(transform) = scores(transform, 0);
            });
        });
    }

    /// The lanes of a thread take columns z. Each covers all rows of the cell.
    KOKKOS_FUNCTION float cell_minimum(const typename Policy::member_type& team, int transform,
                                       int cell) const {
        const float* data = &scores(transform, shape.offset(cell));
        const int x = cell / shape.groups(), y = shape.row_begin(cell);
        const int rows = shape.row_count(cell), width = shape.row_floats();
        float best = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, shape.n),
            [&](int z, float& low) {
                for (int row = 0; row < rows; ++row) {
                    const float value = data[row * width + z];
                    if (value < low && filter.holds(transform, x, y + row, z)) low = value;
                }
            },
            Kokkos::Min<float>(best));
        return best;
    }

    void launch(const Space& space, int transforms) const {
        const Policy policy = is_host<Device>
                                  ? Policy(space, transforms * teams(), 1, 1)
                                  : Policy(space, transforms * teams(), cells_per_team, 32);
        Kokkos::parallel_for("tessera::docking::height_minima", policy, *this);
    }
};

}  // namespace tessera::kernels
