// Finds the grid points near receptor atoms on a periodic grid.
#pragma once

#include <cmath>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// A periodic cubic grid with n points per axis. Voxel 0 is at the receptor's centre.
struct PeriodicGrid {
    int n;
    double spacing;

    int wrap(int i) const {
        i %= n;
        return i < 0 ? i + n : i;
    }
};

/// Calls visit(atom, voxel, r2) for every atom and every grid point nearer to it than radius(atom).
/// r2 is the squared distance in A^2. Threads share the x planes, and each plane visits the atoms
/// in order, so sums are the same for any number of threads.
template <class Radius, class Visit>
void visit_near_points(const PeriodicGrid& grid, const std::vector<Vec3>& atoms,
                       const Radius& radius, const Visit& visit) {
    struct Slice {
        int atom;
        double dx;
    };
    std::vector<std::vector<Slice>> planes(static_cast<std::size_t>(grid.n));
    const double h = grid.spacing;
    for (int a = 0; a < static_cast<int>(atoms.size()); ++a) {
        const double r = radius(a);
        const int last = static_cast<int>(std::floor((atoms[a].x + r) / h));
        for (int i = static_cast<int>(std::ceil((atoms[a].x - r) / h)); i <= last; ++i)
            planes[grid.wrap(i)].push_back({a, i * h - atoms[a].x});
    }
#pragma omp parallel for schedule(dynamic)
    for (int plane = 0; plane < grid.n; ++plane)
        for (const Slice& slice : planes[plane]) {
            const Vec3 center = atoms[slice.atom];
            const double r = radius(slice.atom), r2 = r * r;
            const double ry = std::sqrt(std::fmax(0.0, r2 - slice.dx * slice.dx));
            const int j_last = static_cast<int>(std::floor((center.y + ry) / h));
            for (int j = static_cast<int>(std::ceil((center.y - ry) / h)); j <= j_last; ++j) {
                const double dy = j * h - center.y, dxy2 = slice.dx * slice.dx + dy * dy;
                const double rz = std::sqrt(std::fmax(0.0, r2 - dxy2));
                const std::size_t row =
                    (static_cast<std::size_t>(plane) * grid.n + grid.wrap(j)) * grid.n;
                const int k_last = static_cast<int>(std::floor((center.z + rz) / h));
                for (int k = static_cast<int>(std::ceil((center.z - rz) / h)); k <= k_last; ++k) {
                    const double dz = k * h - center.z, d2 = dxy2 + dz * dz;
                    if (d2 < r2) visit(slice.atom, row + grid.wrap(k), d2);
                }
            }
        }
}

}  // namespace tessera::docking
