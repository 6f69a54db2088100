// The lattice of a periodic system.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/cross.hpp"

namespace tessera {

/// Points between two corners.
struct Box {
    Vec3 low, high;
};

/// The sums of whole multiples of three vectors, in any unit of length.
struct Lattice {
    std::array<Vec3, 3> vectors;

    /// Of a cell.
    double volume() const { return std::abs(dot(vectors[0], cross(vectors[1], vectors[2]))); }
    Vec3 sum(double i, double j, double k) const {
        return i * vectors[0] + j * vectors[1] + k * vectors[2];
    }
    /// The edges of the box around a cell.
    std::array<double, 3> extent() const {
        std::array<double, 3> edges{};
        for (const Vec3& v : vectors) {
            edges[0] += std::abs(v.x);
            edges[1] += std::abs(v.y);
            edges[2] += std::abs(v.z);
        }
        return edges;
    }
    /// The product of a row with a point is the number of steps along a vector.
    std::array<Vec3, 3> inverse() const {
        const auto& [a, b, c] = vectors;
        const double one = 1 / dot(a, cross(b, c));
        return {one * cross(b, c), one * cross(c, a), one * cross(a, b)};
    }

    friend bool operator==(const Lattice& a, const Lattice& b) {
        return std::ranges::equal(a.vectors, b.vectors, [](Vec3 u, Vec3 v) {
            return u.x == v.x && u.y == v.y && u.z == v.z;
        });
    }
};

/// At least the number of images of a point that lie within `reach` of a box. A cell around each of
/// them lies in the box that is larger by the reach and half a cell on all sides.
inline double most_images(const Lattice& lattice, const Box& box, double reach) {
    const Vec3 size = box.high - box.low;
    const auto cell = lattice.extent();
    return (size.x + 2 * reach + cell[0]) * (size.y + 2 * reach + cell[1]) *
           (size.z + 2 * reach + cell[2]) / lattice.volume();
}

inline double distance_squared(const Box& box, Vec3 point) {
    const Vec3 nearest{std::clamp(point.x, box.low.x, box.high.x),
                       std::clamp(point.y, box.low.y, box.high.y),
                       std::clamp(point.z, box.low.z, box.high.z)};
    return distance_squared(point, nearest);
}

/// Calls visit(t) for every vector t of the lattice that brings the point within `reach` of the
/// box. The order depends on the arguments alone. Callers ask most_images() first.
template <class Visit>
void for_images(const Lattice& lattice, Vec3 point, const Box& box, double reach,
                const Visit& visit) {
    std::array<std::int64_t, 3> first{}, last{};
    const std::array<Vec3, 3> inverse = lattice.inverse();
    for (std::size_t v = 0; v < 3; ++v) {
        const Vec3 row = inverse[v], low = box.low - point, high = box.high - point;
        const auto least = [](double r, double a, double b) { return std::min(r * a, r * b); };
        const auto most = [](double r, double a, double b) { return std::max(r * a, r * b); };
        const double beyond = reach * norm(row);
        first[v] = static_cast<std::int64_t>(std::floor(least(row.x, low.x, high.x) +
                                                        least(row.y, low.y, high.y) +
                                                        least(row.z, low.z, high.z) - beyond));
        last[v] = static_cast<std::int64_t>(std::ceil(most(row.x, low.x, high.x) +
                                                      most(row.y, low.y, high.y) +
                                                      most(row.z, low.z, high.z) + beyond));
    }
    for (std::int64_t i = first[0]; i <= last[0]; ++i)
        for (std::int64_t j = first[1]; j <= last[1]; ++j)
            for (std::int64_t k = first[2]; k <= last[2]; ++k) {
                const Vec3 t = lattice.sum(static_cast<double>(i), static_cast<double>(j),
                                           static_cast<double>(k));
                if (distance_squared(box, point + t) <= reach * reach) visit(t);
            }
}

}  // namespace tessera
