// All images of base rotations under the cube group, as points on the unit 3-sphere that are sorted
// into cells.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// q and -q are the same rotation, so 48 unit quaternions stand for the 24 of the cube group.
inline constexpr int signed_members = 48;

/// Member 2 g is rotation g of octahedral_group(), and member 2 g + 1 is its negative.
const std::array<Quaternion, signed_members>& signed_group();

inline double chord_squared(const Quaternion& a, const Quaternion& b) {
    const double w = a.w - b.w, x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return w * w + x * x + y * y + z * z;
}

/// The edge of a cube with the same volume as each of the 48 * bases points has on the unit
/// 3-sphere (surface 2 pi^2).
double point_spacing(std::size_t bases);

/// The member +-g b of the orbit of base b.
struct OrbitMember {
    int base = 0;
    int element = 0;  ///< index into signed_group()
};

/// Finds the orbit members within a chord length of a point near the identity. Members are sorted
/// into cells of (x, y, z). No member is missed, because |dxyz| <= |dq|. Only members within reach
/// of a representative are kept.
class OrbitCells {
  public:
    OrbitCells(const std::vector<Quaternion>& bases, double reach);

    /// Calls visit(member, point, chord squared) for every member within the reach, in a fixed
    /// order.
    template <class Visit>
    void for_each_near(const Quaternion& q, Visit&& visit) const {
        const double limit = reach_ * reach_;
        const int cx = slot(q.x), cy = slot(q.y), cz = slot(q.z);
        for (int x = std::max(cx - 1, 0); x <= std::min(cx + 1, cells_ - 1); ++x)
            for (int y = std::max(cy - 1, 0); y <= std::min(cy + 1, cells_ - 1); ++y) {
                const int z_first = std::max(cz - 1, 0), z_last = std::min(cz + 1, cells_ - 1);
                const std::size_t end = begins_[cell_index(x, y, z_last) + 1];
                for (std::size_t i = begins_[cell_index(x, y, z_first)]; i < end; ++i) {
                    const double d2 = chord_squared(q, points_[i]);
                    if (d2 <= limit) visit(members_[i], points_[i], d2);
                }
            }
    }

  private:
    double least_reachable_w() const;

    int slot(double coordinate) const {
        return std::clamp(static_cast<int>((coordinate + 1) / 2 * cells_), 0, cells_ - 1);
    }

    std::size_t cell_index(int x, int y, int z) const {
        return (static_cast<std::size_t>(x) * cells_ + y) * cells_ + z;
    }

    void sort_into_cells(const std::vector<std::size_t>& cell_of,
                         const std::vector<OrbitMember>& members,
                         const std::vector<Quaternion>& points);

    double reach_;
    int cells_;  ///< number of cells along each axis of [-1, 1]
    std::vector<std::size_t> begins_;
    std::vector<OrbitMember> members_;
    std::vector<Quaternion> points_;
};

}  // namespace tessera::docking
