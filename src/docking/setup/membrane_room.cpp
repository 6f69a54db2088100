#include "docking/setup/membrane_room.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace tessera::docking {

bool has_room(const kernels::HeightRule& rule, const Quaternion& rotation, int n, double spacing) {
    const Matrix3 turn = rotation.matrix();
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Vec3& point : rule.points) {
        const double height = dot(turn * point, rule.normal);
        least = std::min(least, height);
        most = std::max(most, height);
    }
    // The search leaves out translations by half of the grid's edge.
    const Vec3& a = rule.normal;
    const int farthest = n / 2 - 1;
    const double reach = farthest * spacing * (std::abs(a.x) + std::abs(a.y) + std::abs(a.z));
    if (!rule.inside) return rule.low - most >= -reach || rule.high - least <= reach;
    return std::max(rule.low - least, -reach) <= std::min(rule.high - most, reach);
}

void require_room(const PreparedDocking& prepared) {
    const auto& rule = prepared.problem.heights;
    if (!rule || prepared.ensemble.combinations() > 1) return;
    for (std::int64_t r = 0; r < prepared.rotations.size(); ++r)
        if (has_room(*rule, prepared.rotations[r], prepared.frame.n, prepared.frame.spacing))
            return;
    throw Error("the membrane allows no pose", "the ligand has no place on the grid",
                "check --membrane, --membrane-axis and the frames of the files");
}

}  // namespace tessera::docking
