#include "kokkos_kernels/orbitals/screened_work.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kokkos_kernels/orbitals/box_lists.hpp"

namespace tessera::kernels {

namespace {

/// The threshold that BoxLists chooses for a box.
float threshold_of(const std::vector<float>& bounds, const DropThresholds& thresholds) {
    for (int k = 0; k < DropThresholds::count - 1; ++k) {
        float sum = 0;
        for (const float bound : bounds) sum += std::min(bound, thresholds.value[k]);
        if (sum <= thresholds.tolerance) return thresholds.value[k];
    }
    return thresholds.value[DropThresholds::count - 1];
}

/// Adds the tiles of box `index`.
template <class Shape>
void add_box(const TileFrame& frame, const PrimitiveTable<float>& table, const GroupBounds& groups,
             const DropThresholds& thresholds, int index, ScreenedWork& work) {
    std::int64_t corner[3];
    frame.box_point<Shape>(index, corner);
    const int count = static_cast<int>(table.groups.size());
    const PointRegion box(frame, corner, Shape::box * Shape::x, Shape::box * Shape::y,
                          Shape::box * Shape::z);
    std::vector<float> bounds(static_cast<std::size_t>(count));
    for (int g = 0; g < count; ++g) bounds[static_cast<std::size_t>(g)] = box.bound(groups, g);
    const float drop = threshold_of(bounds, thresholds);
    for (int tile = 0; tile < Shape::tiles_per_box; ++tile) {
        const int at[3] = {tile % Shape::box, tile / Shape::box % Shape::box,
                           tile / (Shape::box * Shape::box)};
        const std::int64_t first[3] = {corner[0] + at[0] * Shape::x, corner[1] + at[1] * Shape::y,
                                       corner[2] + at[2] * Shape::z};
        if (first[0] >= frame.end[0] || first[1] >= frame.end[1] || first[2] >= frame.end[2])
            continue;
        const PointRegion region(frame, first, Shape::x, Shape::y, Shape::z);
        work.tile_points += Shape::points;
        for (int g = 0; g < count; ++g) {
            if (bounds[static_cast<std::size_t>(g)] <= drop || region.bound(groups, g) <= drop)
                continue;
            const int degree = table.groups[static_cast<std::size_t>(g)].degree;
            work.products += (degree + 1.0) * Shape::points;
            work.rows += static_cast<double>(monomials(degree)) * Shape::y * Shape::z;
        }
    }
}

template <class Shape>
ScreenedWork work_with(const OrbitalProblem& problem, int most) {
    const PrimitiveTable<float> table(problem);
    const GroupBounds groups{table.centers.data(), table.bounds.data(), table.pitch};
    const DropThresholds thresholds(problem.tolerance, static_cast<int>(table.groups.size()));
    const TileFrame frame(problem.grid, {{0, 0, 0}, problem.grid.shape},
                          {Shape::box * Shape::x, Shape::box * Shape::y, Shape::box * Shape::z});
    const int boxes = frame.box_count(), taken = std::min(boxes, std::max(most, 1));
    ScreenedWork work;
    // Even steps would sample some columns of boxes and skip others. Multiples of the golden ratio
    // fill the grid evenly along all axes.
    for (int i = 0; i < taken; ++i) {
        const double place =
            taken == boxes ? (i + 0.5) / taken : std::fmod((i + 0.5) * 0.6180339887498949, 1.0);
        add_box<Shape>(frame, table, groups, thresholds, static_cast<int>(place * boxes), work);
    }
    const double scale = static_cast<double>(boxes) / taken;
    return {work.tile_points * scale, work.products * scale, work.rows * scale};
}

}  // namespace

ScreenedWork screened_work(const OrbitalProblem& problem, int boxes) {
    check_groups(problem);
    const Vec3 h = problem.grid.spacing;
    return h.x * h.y * h.z * LargeTile::points <= tile_volume_limit
               ? work_with<LargeTile>(problem, boxes)
               : work_with<SmallTile>(problem, boxes);
}

}  // namespace tessera::kernels
