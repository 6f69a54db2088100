#include "docking/model/surface_area.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <unordered_map>

namespace tessera::docking {
namespace {

// Nearly uniform points on the unit sphere, with equal steps in z and the golden angle in
// longitude.
std::vector<Vec3> fibonacci_sphere(int points) {
    const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
    std::vector<Vec3> sphere;
    sphere.reserve(static_cast<std::size_t>(points));
    for (int k = 0; k < points; ++k) {
        const double z = 1 - (2 * k + 1.0) / points;
        const double r = std::sqrt(1 - z * z);
        sphere.push_back({r * std::cos(golden_angle * k), r * std::sin(golden_angle * k), z});
    }
    return sphere;
}

/// Sorts atoms into cubic cells. The neighbours of a sphere lie in the 27 cells around its own.
class CellList {
  public:
    CellList(const std::vector<Vec3>& positions, double edge) : edge_(edge) {
        for (std::size_t i = 0; i < positions.size(); ++i)
            cells_[key(cell(positions[i].x), cell(positions[i].y), cell(positions[i].z))].push_back(
                i);
    }

    template <typename Visit>
    void for_each_near(Vec3 at, Visit&& visit) const {
        for (std::int64_t x = cell(at.x) - 1; x <= cell(at.x) + 1; ++x)
            for (std::int64_t y = cell(at.y) - 1; y <= cell(at.y) + 1; ++y)
                for (std::int64_t z = cell(at.z) - 1; z <= cell(at.z) + 1; ++z)
                    if (const auto found = cells_.find(key(x, y, z)); found != cells_.end())
                        for (const std::size_t i : found->second) visit(i);
    }

  private:
    std::int64_t cell(double coordinate) const {
        return static_cast<std::int64_t>(std::floor(coordinate / edge_));
    }

    // 21 bits per axis hold +-10^6 cells. Coordinates are below 10^5 A.
    static std::int64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
        constexpr std::int64_t offset = 1 << 20;
        return ((x + offset) << 42) | ((y + offset) << 21) | (z + offset);
    }

    double edge_;
    std::unordered_map<std::int64_t, std::vector<std::size_t>> cells_;
};

struct Sphere {
    Vec3 centre;
    double radius_squared;
};

// The spheres that overlap sphere i. The nearest come first, because they cover most of it.
std::vector<Sphere> overlapping(std::size_t i, const std::vector<Vec3>& positions,
                                const std::vector<double>& extended, const CellList& cells) {
    std::vector<std::pair<double, Sphere>> near;
    cells.for_each_near(positions[i], [&](std::size_t j) {
        const double reach = extended[i] + extended[j];
        const double squared = distance_squared(positions[i], positions[j]);
        if (j != i && squared < reach * reach)
            near.push_back({squared, {positions[j], extended[j] * extended[j]}});
    });
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Sphere> spheres;
    for (const auto& [squared, sphere] : near) spheres.push_back(sphere);
    return spheres;
}

int count_free_points(Vec3 centre, double radius, const std::vector<Vec3>& sphere,
                      const std::vector<Sphere>& neighbours) {
    int free = 0;
    std::size_t last = 0;  // the sphere that covered the last point, which may cover the next
    for (const Vec3& direction : sphere) {
        const Vec3 point = centre + radius * direction;
        const auto covers = [&](const Sphere& other) {
            return distance_squared(point, other.centre) < other.radius_squared;
        };
        if (last < neighbours.size() && covers(neighbours[last])) continue;
        const auto cover = std::find_if(neighbours.begin(), neighbours.end(), covers);
        last = static_cast<std::size_t>(cover - neighbours.begin());
        free += cover == neighbours.end();
    }
    return free;
}

}  // namespace

std::vector<double> solvent_accessible_areas(const std::vector<Vec3>& positions,
                                             const std::vector<double>& radii, double probe,
                                             int points) {
    std::vector<double> areas(positions.size(), 0);
    if (positions.empty()) return areas;
    std::vector<double> extended = radii;
    for (double& radius : extended) radius += probe;
    const double largest = *std::max_element(extended.begin(), extended.end());
    const CellList cells(positions, std::max(2 * largest, 1.0));
    const std::vector<Vec3> sphere = fibonacci_sphere(points);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const int free = count_free_points(positions[i], extended[i], sphere,
                                           overlapping(i, positions, extended, cells));
        areas[i] = 4 * std::numbers::pi * extended[i] * extended[i] * free / points;
    }
    return areas;
}

}  // namespace tessera::docking
