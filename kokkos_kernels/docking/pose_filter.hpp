// The pose filter. It finds the best poses of every rotation and coefficient set, at least a radius
// apart.
#pragma once

#include "kokkos_kernels/docking/cell_shape.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/device_problem.hpp"
#include "kokkos_kernels/docking/height_filter.hpp"
#include "kokkos_kernels/docking/plane_filter.hpp"
#include "kokkos_kernels/docking/score_limits.hpp"

namespace tessera::kernels {

/// minima[transform][cell] of score grids in the in-place layout.
template <class Device>
struct CellMinima {
    using Space = typename Device::execution_space;
    using Policy = Kokkos::TeamPolicy<Space>;
    View2<const float, Device> scores;  ///< [transform][2 * spectrum_stride]
    View2<float, Device> minima;
    CellShape shape;
    static constexpr int cells_per_team = 8;

    KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
        const int teams = (shape.cells() + cells_per_team - 1) / cells_per_team;
        const int transform = team.league_rank() / teams;
        const int first = team.league_rank() % teams * cells_per_team;
        const int last =
            first + cells_per_team < shape.cells() ? first + cells_per_team : shape.cells();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](int cell) {
            const float* data = &scores(transform, shape.offset(cell));
            const float best = is_host<Device> ? host_minimum(data, shape.row_count(cell))
                                               : lane_minimum(team, data, shape.row_count(cell));
            Kokkos::single(Kokkos::PerThread(team), [&] { minima(transform, cell) = best; });
        });
    }

    /// The lanes of a thread take columns z. Each covers all rows of the cell.
    KOKKOS_FUNCTION float lane_minimum(const typename Policy::member_type& team, const float* data,
                                       int rows) const {
        float best = 0;
        const int width = shape.row_floats();
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, shape.n),
            [&](int z, float& low) {
                for (int row = 0; row < rows; ++row) {
                    const float value = data[row * width + z];
                    low = value < low ? value : low;
                }
            },
            Kokkos::Min<float>(best));
        return best;
    }

    KOKKOS_FUNCTION float host_minimum(const float* data, int rows) const {
        float best = Kokkos::reduction_identity<float>::min();
        for (int row = 0; row < rows; ++row, data += shape.row_floats()) {
#pragma omp simd reduction(min : best)
            for (int z = 0; z < shape.n; ++z) best = data[z] < best ? data[z] : best;
        }
        return best;
    }

    void launch(const Space& space, int transforms) const {
        const int teams = (shape.cells() + cells_per_team - 1) / cells_per_team;
        const Policy policy = is_host<Device>
                                  ? Policy(space, transforms * teams, 1, 1)
                                  : Policy(space, transforms * teams, cells_per_team, 32);
        Kokkos::parallel_for("tessera::docking::cell_minima", policy, *this);
    }
};

/// Chooses the poses of one transform. It repeatedly takes the lowest score outside the spheres
/// around the poses chosen so far. Equal scores are ordered by grid index, the lower one first.
/// Cells above the limit of their set are not read. A transform whose next pose would lie there has
/// the score ScoreLimits::beyond_limit for it.
template <class Device>
struct SelectPoses {
    using Space = typename Device::execution_space;
    using Policy = Kokkos::TeamPolicy<Space>;
    using Team = typename Policy::member_type;
    using Lowest = Kokkos::MinFirstLoc<float, int>;
    using Found = typename Lowest::value_type;

    View2<const float, Device> scores;
    View2<float, Device> minima;      ///< updated as poses exclude their surroundings
    View2<float, Device> pose_score;  ///< [transform][place]; +infinity where no pose is left
    View2<int, Device> pose_voxel;    ///< [transform][place], index on the member's own grid
    CellShape shape;
    int poses;
    int radius_squared;  ///< exclusion in grid steps, squared and rounded up
    TranslationPlane<Device> plane;
    HeightFilter<Device> heights;
    int sets;
    ScoreLimits limits;

    KOKKOS_FUNCTION float limit(int transform) const { return limits.of_set[transform % sets]; }

    KOKKOS_FUNCTION int periodic_distance_squared(int voxel, int x, int y, int z) const {
        const int n = shape.n;
        int d[3] = {voxel / (n * n) - x, voxel / n % n - y, voxel % n - z};
        int sum = 0;
        for (int& component : d) {
            component = component < 0 ? -component : component;
            if (2 * component > n) component = n - component;
            sum += component * component;
        }
        return sum;
    }

    KOKKOS_FUNCTION bool excluded(int transform, int chosen, int x, int y, int z) const {
        if (plane.is_set && !plane.holds(transform, x, y, z)) return true;
        if (heights.is_set && !heights.holds(transform, x, y, z)) return true;
        for (int p = 0; p < chosen; ++p)
            if (periodic_distance_squared(pose_voxel(transform, p), x, y, z) < radius_squared)
                return true;
        return false;
    }

    /// Lowest score of a cell outside the spheres, and its voxel. The lanes of a thread share the
    /// rows.
    KOKKOS_FUNCTION Found scan_cell(const Team& team, int transform, int chosen, int cell) const {
        const float* data = &scores(transform, shape.offset(cell));
        const int x = cell / shape.groups(), y0 = shape.row_begin(cell);
        const int rows = shape.row_count(cell), width = shape.row_floats(), n = shape.n;
        Found best;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, n),
            [&](int z, Found& low) {
                for (int row = 0; row < rows; ++row) {
                    const float value = data[row * width + z];
                    const int y = y0 + row, voxel = (x * n + y) * n + z;
                    if (value > low.val || (value == low.val && voxel > low.loc)) continue;
                    if (!excluded(transform, chosen, x, y, z)) low = {value, voxel};
                }
            },
            Lowest(best));
        return best;
    }

    KOKKOS_FUNCTION void operator()(const Team& team) const {
        const int transform = team.league_rank();
        for (int place = 0; place < poses; ++place) {
            Found cell;
            Kokkos::parallel_reduce(
                Kokkos::TeamVectorRange(team, shape.cells()),
                [&](int i, Found& low) {
                    const float value = minima(transform, i);
                    if (value < low.val || (value == low.val && i < low.loc)) low = {value, i};
                },
                Lowest(cell));
            choose(team, transform, place, cell);
            team.team_barrier();
            if (place + 1 < poses) refresh_cells(team, transform, place);
            team.team_barrier();
        }
    }

    /// Every thread of the team scans the winning cell, and one writes. This is cheaper than a
    /// broadcast.
    KOKKOS_FUNCTION void choose(const Team& team, int transform, int place, Found cell) const {
        const bool any = cell.val < Kokkos::reduction_identity<float>::min();
        if (!any || cell.val > limit(transform)) {
            Kokkos::single(Kokkos::PerTeam(team), [&] {
                pose_score(transform, place) =
                    any ? ScoreLimits::beyond_limit : Kokkos::Experimental::infinity_v<float>;
                pose_voxel(transform, place) = 0;
            });
            return;
        }
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 1), [&](int) {
            const Found found = scan_cell(team, transform, place, cell.loc);
            Kokkos::single(Kokkos::PerThread(team), [&] {
                pose_score(transform, place) = found.val;
                pose_voxel(transform, place) = found.loc;
            });
        });
    }

    /// Recomputes the minima of the cells that the newest pose's sphere cuts. Those above the limit
    /// stay there.
    KOKKOS_FUNCTION void refresh_cells(const Team& team, int transform, int place) const {
        const int n = shape.n, voxel = pose_voxel(transform, place);
        const int x = voxel / (n * n), y = voxel / n % n;
        int reach = 0;
        while (reach * reach < radius_squared) ++reach;
        const int planes = 2 * reach + 1 < n ? 2 * reach + 1 : n;
        const int groups = shape.groups();
        // The cells to scan are neighbours in this order, so that all threads get some.
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, planes * groups), [&](int i) {
            const int plane = wrap(x - reach + i % planes, n);
            const int cell = plane * groups + i / planes;
            if (!near(y, shape.row_begin(cell), shape.row_count(cell), reach)) return;
            if (minima(transform, cell) > limit(transform)) return;
            const Found found = scan_cell(team, transform, place + 1, cell);
            Kokkos::single(Kokkos::PerThread(team), [&] { minima(transform, cell) = found.val; });
        });
    }

    KOKKOS_FUNCTION bool near(int y, int begin, int count, int reach) const {
        for (int row = begin; row < begin + count; ++row) {
            int d = row < y ? y - row : row - y;
            if (2 * d > shape.n) d = shape.n - d;
            if (d <= reach) return true;
        }
        return false;
    }

    void launch(const Space& space, int transforms) const {
        const Policy policy =
            is_host<Device> ? Policy(space, transforms, 1, 1) : Policy(space, transforms, 16, 32);
        Kokkos::parallel_for("tessera::docking::select_poses", policy, *this);
    }
};

}  // namespace tessera::kernels
