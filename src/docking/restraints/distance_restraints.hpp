// Restraints on distances between the partners, and how many of them a pose satisfies
// (docs/method/docking-restraints.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Atoms of a residue that a restraint names.
struct RestrainedResidue {
    std::vector<Vec3> atoms;  ///< Angstrom; of the ligand relative to its centre
    Vec3 center;              ///< mean of the atoms
    double radius = 0;        ///< largest distance of an atom from the mean
};

/// A bound on the effective distance r = (sum over pairs of atoms of d^-6)^(-1/6), in which d is
/// the distance between an atom of the receptor and one of the ligand. For one pair r = d.
struct DistanceRestraint {
    std::string name;
    int group = 0;
    double lower = 0, upper = 0;  ///< Angstrom, as the file has them
    std::vector<RestrainedResidue> receptor, ligand;
    /// Of a ring: the same atoms in the other copy of two neighbours, ligand atoms relative to its
    /// centre. Otherwise empty. The restraint is satisfied if either pair of selections does it.
    std::vector<RestrainedResidue> exchanged_receptor = {}, exchanged_ligand = {};
};

struct RestraintGroup {
    std::string name;
    int size = 0;      ///< number of its restraints
    int required = 0;  ///< a pose must satisfy at least as many
};

/// What the program's options say about restraints.
struct RestraintOptions {
    std::vector<std::string> files;
    /// "3" or "50%", for groups that give no number. Empty: all, or half of a HADDOCK table.
    std::string required;
    double tolerance = 2;  ///< Angstrom; widens both bounds
    /// Of the fraction that a refined pose does not satisfy, in its score. None: the number of
    /// restraints, so that each one counts 1.
    std::optional<double> weight;
    double pull = 5;  ///< energy, in the refinement, of a restraint that is far from satisfied
    /// Of the closeness (Satisfaction) of a refined pose, in its score.
    double closeness = 1;

    double weight_of(std::size_t restraints) const {
        return weight.value_or(static_cast<double>(restraints));
    }
};

/// How well a pose satisfies restraints.
struct Satisfaction {
    int satisfied = 0;
    /// Sum over the satisfied restraints of ln(max(upper, 8 A) / max(distance, 8 A)).
    double closeness = 0;
    bool is_enough = false;  ///< every group has its required number
};

/// The restraints of a docking. Counts have the same bits on any number of threads and ranks.
class DistanceRestraints {
  public:
    std::vector<RestraintGroup> groups;
    std::vector<DistanceRestraint> restraints;  ///< those of a group one after another
    double tolerance = 0;                       ///< Angstrom

    bool empty() const { return restraints.empty(); }

    /// Whether a pose has the required number in every group. Stops as soon as this is certain.
    bool are_satisfied(const kernels::RigidPose& pose) const;

    Satisfaction count(const kernels::RigidPose& pose) const;
};

/// The atoms with the copies of a ring exchanged, for rings that differ in their two directions.
/// All copies are the same protein, and `ligand_center` is where its centre lies.
void exchange_copies(DistanceRestraints& restraints, Vec3 ligand_center);

/// "45 in group air (23 required)" for each group, for a message.
std::string describe(const DistanceRestraints& restraints);

}  // namespace tessera::docking
