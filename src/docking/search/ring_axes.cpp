#include "docking/search/ring_axes.hpp"

#include <cmath>
#include <numbers>

#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {

std::vector<Vec3> spiral_axes(std::int64_t count) {
    const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
    std::vector<Vec3> axes;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto place = static_cast<double>(i);
        const double z = 1 - (place + 0.5) / static_cast<double>(count);
        const double radius = std::sqrt(1 - z * z), angle = golden_angle * place;
        axes.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
    return axes;
}

RotationSet ring_rotations(int copies, std::int64_t axes, const Quaternion& turn) {
    RotationSet set;
    const Matrix3 turned = turn.matrix();
    for (const Vec3& axis : spiral_axes(axes)) {
        const Vec3 v = turned * axis;
        set.bases.push_back(kernels::ring_rotation((1 / norm(v)) * v, copies));
    }
    set.group = {SignedPermutation{}};
    set.description =
        "by 1/" + std::to_string(copies) + " turn about " + std::to_string(axes) + " axes";
    return set;
}

}  // namespace tessera::docking
