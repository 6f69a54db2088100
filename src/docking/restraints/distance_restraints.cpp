#include "docking/restraints/distance_restraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace tessera::docking {

namespace {

constexpr double nearest_squared = 1e-6;  ///< A^2
constexpr double in_contact = 8;          ///< A: of two restrained atoms; nearer is no closer

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

/// Two residues of a restraint, and an upper limit of their sum of d^-6: all their atoms are as
/// near as their spheres.
struct ResiduePair {
    const RestrainedResidue *receptor, *ligand;
    double limit;
    double limit_onwards = 0;  ///< of this pair and all that follow it
};

double limit_of_sum(const RestrainedResidue& a, const RestrainedResidue& b, Vec3 placed_center) {
    const double gap = norm(placed_center - a.center) - a.radius - b.radius;
    if (gap < 0.1) return std::numeric_limits<double>::infinity();
    return static_cast<double>(a.atoms.size() * b.atoms.size()) * inverse_sixth(gap * gap);
}

double sum_of(const ResiduePair& pair, const PlacedLigand& placed) {
    double sum = 0;
    for (const Vec3& atom : pair.ligand->atoms) {
        const Vec3 at = placed(atom);
        for (const Vec3& other : pair.receptor->atoms)
            sum += inverse_sixth(distance_squared(at, other));
    }
    return sum;
}

/// Whether a pose satisfies restraints, one after another.
class Judge {
  public:
    Judge(const kernels::RigidPose& pose, double tolerance)
        : placed_(pose), tolerance_(tolerance) {}

    /// Whether lower - tolerance <= effective distance <= upper + tolerance. The nearest residues
    /// come first. The others are only measured while their limits leave the answer open.
    bool is_satisfied(const DistanceRestraint& one) {
        return is_satisfied(one, one.receptor, one.ligand) ||
               (!one.exchanged_ligand.empty() &&
                is_satisfied(one, one.exchanged_receptor, one.exchanged_ligand));
    }

    /// The term of a satisfied restraint in Satisfaction::closeness. Of two directions in a ring
    /// that satisfy it the closer one counts.
    double closeness(const DistanceRestraint& one) {
        if (one.upper <= in_contact) return 0;
        double closest = 0;
        if (one.exchanged_ligand.empty() || is_satisfied(one, one.receptor, one.ligand))
            closest = closeness(one, one.receptor, one.ligand);
        if (!one.exchanged_ligand.empty() &&
            is_satisfied(one, one.exchanged_receptor, one.exchanged_ligand))
            closest =
                std::max(closest, closeness(one, one.exchanged_receptor, one.exchanged_ligand));
        return closest;
    }

  private:
    using Residues = std::vector<RestrainedResidue>;

    bool is_satisfied(const DistanceRestraint& restraint, const Residues& receptor,
                      const Residues& ligand) {
        const double lower = restraint.lower - tolerance_, upper = restraint.upper + tolerance_;
        const double least = inverse_sixth(upper * upper);
        const double most =
            lower > 0 ? inverse_sixth(lower * lower) : std::numeric_limits<double>::infinity();
        if (list_pairs(receptor, ligand) < least) return false;
        sort_pairs();
        double sum = 0;
        for (const ResiduePair& pair : pairs_) {
            const double largest = sum + pair.limit_onwards;
            if (largest < least || sum > most) return false;
            if (sum >= least && largest <= most) return true;
            sum += sum_of(pair, placed_);
        }
        return sum >= least && sum <= most;
    }

    double closeness(const DistanceRestraint& restraint, const Residues& receptor,
                     const Residues& ligand) {
        list_pairs(receptor, ligand);
        double sum = 0;
        for (const ResiduePair& pair : pairs_) sum += sum_of(pair, placed_);
        const double distance = std::pow(sum, -1.0 / 6);
        return std::log(restraint.upper / std::clamp(distance, in_contact, restraint.upper));
    }

    /// Returns the limit of the sum over all pairs.
    double list_pairs(const Residues& receptor, const Residues& ligand) {
        pairs_.clear();
        double limit = 0;
        for (const RestrainedResidue& b : ligand) {
            const Vec3 center = placed_(b.center);
            for (const RestrainedResidue& a : receptor) {
                pairs_.push_back({&a, &b, limit_of_sum(a, b, center)});
                limit += pairs_.back().limit;
            }
        }
        return limit * safety;
    }

    void sort_pairs() {
        std::ranges::sort(pairs_, std::greater(), &ResiduePair::limit);
        double limit = 0;
        for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair)
            pair->limit_onwards = safety * (limit += pair->limit);
    }

    static constexpr double safety = 1 + 1e-9;  ///< rounding must not make a limit too small

    PlacedLigand placed_;
    double tolerance_;
    std::vector<ResiduePair> pairs_;  ///< of the last restraint
};

}  // namespace

bool DistanceRestraints::are_satisfied(const kernels::RigidPose& pose) const {
    Judge judge(pose, tolerance);
    auto next = restraints.begin();
    for (const RestraintGroup& group : groups) {
        const auto end = next + group.size;
        int missing = group.required;
        for (auto one = next; one != end && missing > 0; ++one) {
            if (missing > end - one) return false;
            if (judge.is_satisfied(*one)) --missing;
        }
        if (missing > 0) return false;
        next = end;
    }
    return true;
}

Satisfaction DistanceRestraints::count(const kernels::RigidPose& pose) const {
    Judge judge(pose, tolerance);
    Satisfaction all{0, 0, true};
    auto next = restraints.begin();
    for (const RestraintGroup& group : groups) {
        const auto end = next + group.size;
        int found = 0;
        for (auto one = next; one != end; ++one) {
            if (!judge.is_satisfied(*one)) continue;
            ++found;
            all.closeness += judge.closeness(*one);
        }
        all.satisfied += found;
        all.is_enough &= found >= group.required;
        next = end;
    }
    return all;
}

namespace {

std::vector<RestrainedResidue> shifted(std::vector<RestrainedResidue> residues, Vec3 shift) {
    for (RestrainedResidue& residue : residues) {
        residue.center = residue.center + shift;
        for (Vec3& atom : residue.atoms) atom = atom + shift;
    }
    return residues;
}

}  // namespace

void exchange_copies(DistanceRestraints& restraints, Vec3 ligand_center) {
    for (DistanceRestraint& one : restraints.restraints) {
        one.exchanged_receptor = shifted(one.ligand, ligand_center);
        one.exchanged_ligand = shifted(one.receptor, -1.0 * ligand_center);
    }
}

std::string describe(const DistanceRestraints& restraints) {
    std::string text;
    for (const RestraintGroup& group : restraints.groups)
        text += fmt::format("{}{} in group {} ({} required)", text.empty() ? "" : ", ", group.size,
                            group.name, group.required);
    return text;
}

}  // namespace tessera::docking
