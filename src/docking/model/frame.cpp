#include "docking/model/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::docking {

namespace {

constexpr double interaction_margin = 6.5;  ///< Angstrom, on both sides

struct Box {
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
};

Box bounding_box(const std::vector<Vec3>& points) {
    Box box;
    for (const Vec3& p : points) {
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y),
                    std::max(box.high.z, p.z)};
    }
    return box;
}

/// The centre of a nearly minimal enclosing sphere. Step i moves towards the farthest point by
/// 1/(i+1) (Badoiu & Clarkson 2003). After 1,000 steps the radius is within about 1 % of the
/// minimum.
Vec3 enclosing_sphere_center(const std::vector<Vec3>& points) {
    Vec3 center = points.front();
    for (int step = 1; step <= 1000; ++step) {
        const auto farthest =
            std::max_element(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
                return distance_squared(a, center) < distance_squared(b, center);
            });
        center = center + (1.0 / (step + 1)) * (*farthest - center);
    }
    return center;
}

double radius_about(const std::vector<Vec3>& points, Vec3 center) {
    double r2 = 0;
    for (const Vec3& p : points) r2 = std::max(r2, distance_squared(p, center));
    return std::sqrt(r2);
}

}  // namespace

DockingFrame make_frame(const Molecule& receptor, const Molecule& ligand, double spacing,
                        int grid) {
    const Box box = bounding_box(receptor.positions);
    DockingFrame frame;
    frame.spacing = spacing;
    frame.receptor_center = 0.5 * (box.low + box.high);
    const Vec3 edges = box.high - box.low;
    frame.receptor_extent = std::max({edges.x, edges.y, edges.z});
    frame.ligand_center = enclosing_sphere_center(ligand.positions);
    frame.ligand_radius = radius_about(ligand.positions, frame.ligand_center);

    const double length = frame.receptor_extent + 2 * (frame.ligand_radius + interaction_margin);
    const double points = std::ceil(length / spacing);
    if (points > largest_grid)
        throw Error(fmt::format("the two partners need a grid of {:.0f}^3 points", points),
                    fmt::format("receptor {:.0f} A long, ligand {:.0f} A across, spacing {} A",
                                frame.receptor_extent, 2 * frame.ligand_radius, spacing),
                    "check the coordinates, select chains, or use a coarser --spacing");
    const int needed = kernels::good_fft_size(static_cast<int>(points));
    if (grid != 0 && grid < static_cast<int>(points))
        throw Error(fmt::format("--grid {} is too small", grid),
                    "the ligand would meet a periodic image of the receptor",
                    fmt::format("use {} or more, or leave the option out", needed));
    frame.n = grid == 0 ? needed : grid;
    return frame;
}

}  // namespace tessera::docking
