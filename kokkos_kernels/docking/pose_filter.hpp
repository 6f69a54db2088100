// The pose filter. It finds the best poses of every rotation and coefficient set, at least a radius
// apart.
#pragma once

#include <algorithm>

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
///
/// Limits leave few cells. They are listed once in fast memory, so that the steps of a pose walk
/// over the list instead of all minima. If they are too many for the list, or if there is no limit,
/// the steps walk over the minima themselves.
template <class Device>
struct SelectPoses {
    using Space = typename Device::execution_space;
    using Policy = Kokkos::TeamPolicy<Space>;
    using Team = typename Policy::member_type;
    using Lowest = Kokkos::MinFirstLoc<float, int>;
    using Found = typename Lowest::value_type;
    static constexpr int list_size = 512;
    static constexpr int list_bytes = list_size * (sizeof(float) + sizeof(int)) + sizeof(int);

    View2<const float, Device> scores;
    View2<float, Device> minima;  ///< updated, unless listed, as poses exclude their surroundings
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
        const int dx = periodic_distance(voxel / (n * n), x);
        const int dy = periodic_distance(voxel / n % n, y);
        const int dz = periodic_distance(voxel % n, z);
        return dx * dx + dy * dy + dz * dz;
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
                float values[CellShape::rows];  // Loads that wait together.
                for (int row = 0; row < CellShape::rows; ++row)
                    values[row] = data[(row < rows ? row : 0) * width + z];
                for (int row = 0; row < rows; ++row) {
                    const int y = y0 + row, voxel = (x * n + y) * n + z;
                    const float value = values[row];
                    if (value > low.val || (value == low.val && voxel > low.loc)) continue;
                    if (!excluded(transform, chosen, x, y, z)) low = {value, voxel};
                }
            },
            Lowest(best));
        return best;
    }

    /// The cells that may hold poses, and the lowest score that each still has.
    struct Cells {
        float* lowest;
        const int* listed;  ///< nullptr if these are all cells
        int count;
        KOKKOS_FUNCTION int cell(int i) const { return listed == nullptr ? i : listed[i]; }
    };

    KOKKOS_FUNCTION Cells all_cells(int transform) const {
        return {&minima(transform, 0), nullptr, shape.cells()};
    }

    /// In any order: the choice of a pose depends on scores and indices only.
    KOKKOS_FUNCTION Cells cells_of(const Team& team, int transform) const {
        const float highest = limit(transform);
        if (highest == ScoreLimits::none) return all_cells(transform);
        auto* lowest = static_cast<float*>(team.team_scratch(0).get_shmem(int{list_bytes}));
        auto* listed = reinterpret_cast<int*>(lowest + list_size);
        int* count = listed + list_size;
        Kokkos::single(Kokkos::PerTeam(team), [&] { *count = 0; });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, shape.cells()), [&](int cell) {
            const float value = minima(transform, cell);
            if (value > highest) return;
            const int place = Kokkos::atomic_fetch_add(count, 1);
            if (place >= list_size) return;
            lowest[place] = value;
            listed[place] = cell;
        });
        team.team_barrier();
        if (*count > list_size) return all_cells(transform);
        return {lowest, listed, *count};
    }

    KOKKOS_FUNCTION void operator()(const Team& team) const {
        const int transform = team.league_rank();
        const Cells cells = cells_of(team, transform);
        for (int place = 0; place < poses; ++place) {
            Found best;
            Kokkos::parallel_reduce(
                Kokkos::TeamVectorRange(team, cells.count),
                [&](int i, Found& low) {
                    const float value = cells.lowest[i];
                    const int cell = cells.cell(i);
                    if (value < low.val || (value == low.val && cell < low.loc))
                        low = {value, cell};
                },
                Lowest(best));
            choose(team, transform, place, best);
            team.team_barrier();
            if (place + 1 < poses) refresh_cells(team, transform, place, cells);
            team.team_barrier();
        }
    }

    /// One thread of the team scans the winning cell.
    KOKKOS_FUNCTION void choose(const Team& team, int transform, int place, Found cell) const {
        const bool any = cell.val < Kokkos::reduction_identity<float>::min();
        const float highest = limit(transform);
        if (!any || cell.val > highest) {
            const bool hidden = any || highest < ScoreLimits::none;
            Kokkos::single(Kokkos::PerTeam(team), [&] {
                pose_score(transform, place) =
                    hidden ? ScoreLimits::beyond_limit : Kokkos::Experimental::infinity_v<float>;
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
    KOKKOS_FUNCTION void refresh_cells(const Team& team, int transform, int place,
                                       const Cells& cells) const {
        const int n = shape.n, voxel = pose_voxel(transform, place);
        const int x = voxel / (n * n), y = voxel / n % n;
        int reach = 0;
        while (reach * reach < radius_squared) ++reach;
        const auto refresh = [&](int i) {
            const int cell = cells.cell(i);
            if (!is_cut(cell, x, y, reach) || cells.lowest[i] > limit(transform)) return;
            const Found found = scan_cell(team, transform, place + 1, cell);
            Kokkos::single(Kokkos::PerThread(team), [&] { cells.lowest[i] = found.val; });
        };
        if (cells.listed != nullptr) {
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, cells.count), refresh);
            return;
        }
        // The cells to scan are neighbours in this order, so that all threads get some.
        const int planes = 2 * reach + 1 < n ? 2 * reach + 1 : n;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, planes * shape.groups()), [&](int i) {
            refresh(wrap(x - reach + i % planes, n) * shape.groups() + i / planes);
        });
    }

    KOKKOS_FUNCTION int periodic_distance(int a, int b) const {
        const int d = a < b ? b - a : a - b;
        return 2 * d > shape.n ? shape.n - d : d;
    }

    /// Whether a row of the cell is within `reach` of (x, y).
    KOKKOS_FUNCTION bool is_cut(int cell, int x, int y, int reach) const {
        if (periodic_distance(cell / shape.groups(), x) > reach) return false;
        const int first = shape.row_begin(cell);
        for (int row = first; row < first + shape.row_count(cell); ++row)
            if (periodic_distance(row, y) <= reach) return true;
        return false;
    }

    /// Threads of a team. Lists need few.
    int threads(int transforms) const {
        if (is_host<Device>) return 1;
        const float* end = limits.of_set + sets;
        if (std::find(limits.of_set, end, ScoreLimits::none) != end) return 16;
        return transforms < 400 ? 8 : 4;
    }

    void launch(const Space& space, int transforms) const {
        Policy policy(space, transforms, threads(transforms), is_host<Device> ? 1 : 32);
        policy.set_scratch_size(0, Kokkos::PerTeam(list_bytes));
        Kokkos::parallel_for("tessera::docking::select_poses", policy, *this);
    }
};

}  // namespace tessera::kernels
