#include "docking/restraints/distance_restraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tessera::docking {

namespace {

constexpr double nearest_squared = 1e-6;  ///< A^2

double inverse_sixth(double squared) {
    const double inverse = 1 / std::max(squared, nearest_squared);
    return inverse * inverse * inverse;
}

/// The ligand of a restraint where a pose puts it.
class PlacedLigand {
  public:
    explicit PlacedLigand(const kernels::RigidPose& pose)
        : rotation_(pose.rotation.matrix()), translation_(pose.translation) {}

    Vec3 operator()(Vec3 point) const { return rotation_ * point + translation_; }

  private:
    Matrix3 rotation_;
    Vec3 translation_;
};

/// An upper limit of the sum of d^-6: all atoms of two residues are as near as their spheres.
double largest_sum(const DistanceRestraint& restraint, const PlacedLigand& placed) {
    double sum = 0;
    for (const RestrainedResidue& b : restraint.ligand) {
        const Vec3 center = placed(b.center);
        for (const RestrainedResidue& a : restraint.receptor) {
            const double gap = norm(center - a.center) - a.radius - b.radius;
            if (gap < 0.1) return std::numeric_limits<double>::infinity();
            sum += static_cast<double>(a.atoms.size() * b.atoms.size()) * inverse_sixth(gap * gap);
        }
    }
    return sum * (1 + 1e-9);  // rounding must not make it too small
}

/// The sum of d^-6 over all pairs. Stops when it exceeds `enough`.
double pair_sum(const DistanceRestraint& restraint, const PlacedLigand& placed, double enough) {
    double sum = 0;
    for (const RestrainedResidue& b : restraint.ligand)
        for (const Vec3& atom : b.atoms) {
            const Vec3 at = placed(atom);
            for (const RestrainedResidue& a : restraint.receptor)
                for (const Vec3& other : a.atoms) sum += inverse_sixth(distance_squared(at, other));
            if (sum > enough) return sum;
        }
    return sum;
}

/// Whether lower - tolerance <= effective distance <= upper + tolerance.
bool is_satisfied(const DistanceRestraint& restraint, const PlacedLigand& placed,
                  double tolerance) {
    const double lower = restraint.lower - tolerance, upper = restraint.upper + tolerance;
    const double least = inverse_sixth(upper * upper);
    if (largest_sum(restraint, placed) < least) return false;
    const double infinite = std::numeric_limits<double>::infinity();
    const double most = lower > 0 ? inverse_sixth(lower * lower) : infinite;
    const double sum = pair_sum(restraint, placed, lower > 0 ? most : least);
    return sum >= least && sum <= most;
}

}  // namespace

bool DistanceRestraints::are_satisfied(const kernels::RigidPose& pose) const {
    const PlacedLigand placed(pose);
    auto next = restraints.begin();
    for (const RestraintGroup& group : groups) {
        const auto end = next + group.size;
        int missing = group.required;
        for (auto one = next; one != end && missing > 0; ++one) {
            if (missing > end - one) return false;
            if (is_satisfied(*one, placed, tolerance)) --missing;
        }
        if (missing > 0) return false;
        next = end;
    }
    return true;
}

Satisfaction DistanceRestraints::count(const kernels::RigidPose& pose) const {
    const PlacedLigand placed(pose);
    Satisfaction all{0, true};
    auto next = restraints.begin();
    for (const RestraintGroup& group : groups) {
        const auto end = next + group.size;
        const auto found = static_cast<int>(std::count_if(
            next, end, [&](const auto& one) { return is_satisfied(one, placed, tolerance); }));
        all.satisfied += found;
        all.is_enough &= found >= group.required;
        next = end;
    }
    return all;
}

std::string describe(const DistanceRestraints& restraints) {
    std::string text;
    for (const RestraintGroup& group : restraints.groups)
        text += fmt::format("{}{} in group {} ({} required)", text.empty() ? "" : ", ", group.size,
                            group.name, group.required);
    return text;
}

}  // namespace tessera::docking
