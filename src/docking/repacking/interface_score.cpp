#include "docking/repacking/interface_score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "docking/refinement/statistical_potential.hpp"
#include "docking/repacking/pack_plan.hpp"
#include "kokkos_kernels/docking/pose_terms.hpp"

namespace tessera::docking {

namespace {

using kernels::RefineAtom;

std::vector<int> types_of(const std::vector<RefineAtom>& atoms, const std::vector<int>& own) {
    if (!own.empty()) return own;
    std::vector<int> types;
    types.reserve(atoms.size());
    for (const RefineAtom& atom : atoms) types.push_back(atom.type);
    return types;
}

/// The kinds of the statistical potential; -1: none.
std::vector<int> kinds_of(const io::Structure& structure) {
    const auto& kinds = statistical_potential().atoms.kinds;
    std::vector<int> found;
    found.reserve(structure.atoms.size());
    for (const io::AtomRecord& atom : structure.atoms) {
        const auto kind = kinds.find(atom.residue + " " + atom.name);
        found.push_back(atom.hetero || kind == kinds.end() ? -1 : kind->second);
    }
    return found;
}

}  // namespace

InterfaceScore::InterfaceScore(const kernels::RefineProblem& problem, const ContactTypes& types,
                               const RescoringWeights& weights, const io::Structure& receptor,
                               const io::Structure& ligand)
    : problem_(problem),
      weights_(weights),
      reach_(std::max({kernels::pose_terms_cutoff(problem), contact_shell_ends.back(),
                       statistical_potential().atoms.ends.back()})),
      partners_{{&problem.receptor, types_of(problem.receptor, types.receptor), kinds_of(receptor),
                 NearAtoms(positions_of(problem.receptor), reach_)},
                {&problem.ligand, types_of(problem.ligand, types.ligand), kinds_of(ligand),
                 NearAtoms(positions_of(problem.ligand), reach_)}} {}

/// The atoms of a partner that the other partner's atoms reach, before or after the move.
std::vector<bool> InterfaceScore::near_other(const kernels::RigidPose& pose, int partner,
                                             const MovedAtoms* moved) const {
    const std::vector<RefineAtom>& own = *partners_[partner].atoms;
    std::vector<bool> near(own.size(), false);
    const double reach2 = reach_ * reach_;
    const Matrix3 turn = partner == 1 ? pose.rotation.matrix() : pose.rotation.conjugate().matrix();
    const auto crossed = [&](Vec3 p) {
        return partner == 1 ? turn * p + pose.translation : turn * (p - pose.translation);
    };
    for (std::size_t a = 0; a < own.size(); ++a) {
        bool reached = false;
        partners_[1 - partner].near.for_each(crossed(own[a].position), [&](int, double square) {
            reached = reached || square < reach2;
        });
        near[a] = reached;
    }
    for (const int atom : moved[partner].atoms) near[atom] = true;
    for (const Vec3& position : moved[1 - partner].positions) {
        const Vec3 here = in_other_frame(pose, 1 - partner, position);
        partners_[partner].near.for_each(here, [&](int atom, double square) {
            if (square < reach2) near[atom] = true;
        });
    }
    return near;
}

InterfaceScore::Placed InterfaceScore::place(const kernels::RigidPose& pose, int partner,
                                             const std::vector<bool>& chosen,
                                             const MovedAtoms* moved) const {
    const Partner& own = partners_[partner];
    const Matrix3 turn = pose.rotation.matrix();
    std::vector<Vec3> positions = positions_of(*own.atoms);
    if (moved)
        for (std::size_t i = 0; i < moved[partner].atoms.size(); ++i)
            positions[moved[partner].atoms[i]] = moved[partner].positions[i];
    Placed placed;
    for (std::size_t a = 0; a < chosen.size(); ++a) {
        if (!chosen[a]) continue;
        placed.atoms.push_back((*own.atoms)[a]);
        placed.atoms.back().position =
            partner == 1 ? turn * positions[a] + pose.translation : positions[a];
        placed.contact_types.push_back(own.contact_types[a]);
        placed.kinds.push_back(own.kinds[a]);
    }
    return placed;
}

void InterfaceScore::add(const Placed& receptor, const Placed& ligand, double& score,
                         double& clash) const {
    const auto terms = kernels::pose_terms(problem_, receptor.atoms, ligand.atoms);
    clash = terms[kernels::clash_term] + terms[kernels::buried_clash_term];
    score = std::inner_product(terms.begin(), terms.end(), weights_.refined.begin(), 0.0);
    const DistanceTable& table = statistical_potential().atoms;
    const std::size_t kinds = table.kinds.size(), bins = table.ends.size();
    const double statistical2 =
        weights_.has_statistical() ? table.ends.back() * table.ends.back() : 0;
    const double contacts2 = contact_shell_ends.back() * contact_shell_ends.back();
    for (std::size_t j = 0; j < ligand.atoms.size(); ++j)
        for (std::size_t i = 0; i < receptor.atoms.size(); ++i) {
            const double square =
                distance_squared(ligand.atoms[j].position, receptor.atoms[i].position);
            if (square < contacts2) {
                int shell = 0;
                while (square >= contact_shell_ends[shell] * contact_shell_ends[shell]) ++shell;
                score += weights_.contacts
                             .shells[shell][receptor.contact_types[i] * weights_.contacts.types +
                                            ligand.contact_types[j]];
            }
            if (square < statistical2 && receptor.kinds[i] >= 0 && ligand.kinds[j] >= 0) {
                const double distance = std::sqrt(square);
                const auto bin =
                    std::ranges::upper_bound(table.ends, distance) - table.ends.begin();
                score +=
                    weights_.statistical[distance < near_atoms_end ? 0 : 1] *
                    static_cast<double>(
                        table.energies[(ligand.kinds[j] * kinds + receptor.kinds[i]) * bins + bin]);
            }
        }
}

InterfaceScore::Change InterfaceScore::operator()(const kernels::RigidPose& pose,
                                                  const MovedAtoms& receptor,
                                                  const MovedAtoms& ligand) const {
    const MovedAtoms moved[2] = {receptor, ligand};
    const std::vector<bool> near[2] = {near_other(pose, 0, moved), near_other(pose, 1, moved)};
    Change change;
    add(place(pose, 0, near[0], nullptr), place(pose, 1, near[1], nullptr), change.before,
        change.clash_before);
    add(place(pose, 0, near[0], moved), place(pose, 1, near[1], moved), change.after,
        change.clash_after);
    return change;
}

}  // namespace tessera::docking
