#include "docking/refinement/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.hpp"

namespace tessera::docking {

namespace {

std::vector<kernels::RefineAtom> refine_atoms(const Molecule& molecule, Vec3 origin) {
    std::vector<kernels::RefineAtom> atoms;
    for (std::size_t a = 0; a < molecule.size(); ++a)
        atoms.push_back({molecule.positions[a] - origin, molecule.radii[a], molecule.charges[a],
                         molecule.types[a], molecule.on_surface[a]});
    return atoms;
}

}  // namespace

kernels::RefineProblem make_refine_problem(const Molecule& receptor, const Molecule& ligand,
                                           Vec3 ligand_center, const EnergyParameters& energy,
                                           const PairPotential& potential) {
    kernels::RefineProblem problem;
    problem.receptor = refine_atoms(receptor, {});
    problem.ligand = refine_atoms(ligand, ligand_center);
    problem.types = potential.types();
    problem.pair_energies = potential.matrix;
    kernels::RefineParameters& p = problem.parameters;
    p.contact_full = std::max(0.0, energy.attraction_cutoff - 1.5);
    p.contact_end = energy.attraction_cutoff + 1.5;
    p.pair_full = std::max(0.0, energy.pair_cutoff - 1);
    p.pair_end = energy.pair_cutoff + 1;
    p.born_radius = energy.born_radius;
    return problem;
}

TilePartial<kernels::RefinedPose> RefineWorkload::run(const Tile& tile) {
    const std::span<const kernels::RigidPose> poses(poses_);
    TilePartial<Payload> partial{tile.id,
                                 refinement_.refine(poses.subspan(tile.begin, tile.size()))};
    for (const Payload& pose : partial.records)
        if (!std::isfinite(pose.energy))
            throw TileFailure(TileFailure::Reason::not_finite,
                              "the energy of a pose that was refined");
    return partial;
}

}  // namespace tessera::docking
