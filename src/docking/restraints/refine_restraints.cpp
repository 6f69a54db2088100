#include "docking/restraints/refine_restraints.hpp"

namespace tessera::docking {

namespace {

std::vector<Vec3> atoms_of(const std::vector<RestrainedResidue>& residues) {
    std::vector<Vec3> atoms;
    for (const RestrainedResidue& residue : residues)
        atoms.insert(atoms.end(), residue.atoms.begin(), residue.atoms.end());
    return atoms;
}

}  // namespace

void add_restraints(kernels::RefineProblem& problem, const DistanceRestraints& restraints,
                    double pull) {
    const double slack = restraints.tolerance / 2;
    for (const DistanceRestraint& one : restraints.restraints) {
        problem.restraints.push_back(
            {one.lower - slack, one.upper + slack, atoms_of(one.receptor), atoms_of(one.ligand)});
        if (one.exchanged_ligand.empty()) continue;
        problem.restraints.push_back({one.lower - slack, one.upper + slack,
                                      atoms_of(one.exchanged_receptor),
                                      atoms_of(one.exchanged_ligand)});
    }
    problem.parameters.restraints_weight = pull * static_cast<double>(problem.restraints.size());
}

}  // namespace tessera::docking
