// PIPER's energy as correlations: receptor grids and ligand weights from two molecules.
#pragma once

#include <vector>

#include "docking/model/frame.hpp"
#include "docking/model/molecule.hpp"
#include "docking/model/pair_potential.hpp"
#include "docking/model/pose.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking {

/// The constants of the energy (docs/method/docking.md, "Energy"). Lengths are in Angstrom. A
/// surface atom has a solvent-accessible surface above 1 A^2, a buried atom does not.
struct EnergyParameters {
    /// Core radius of a receptor atom, divided by its van der Waals radius.
    double surface_core_scale = 0.9;
    double buried_core_scale = 1.2;
    /// Radius of the soft rim around the core, divided by the van der Waals radius.
    double surface_rim_scale = 1.1;
    double buried_rim_scale = 1.35;
    double repulsion = 50;             ///< height of the core
    double rim = 0.2;                  ///< height of the rim, divided by the height of the core
    double buried_ligand_weight = 40;  ///< weight of a buried ligand atom in the core; surface: 1
    double attraction_cutoff = 6.5;
    double pair_cutoff = 6.0;
    double born_radius = 2;  ///< D of the smoothed Coulomb term
    double electrostatics_cutoff = 15;
    int eigen_terms = 4;  ///< P
};

/// Residues that are kept out of the interface, wanted in it or not expected there, as a flag for
/// each atom of a molecule.
struct Restraints {
    std::vector<bool> blocked;      ///< [atoms] or empty
    std::vector<bool> attracted;    ///< [atoms] or empty
    std::vector<bool> masked = {};  ///< [atoms] or empty; these attract less
};

/// Everything that the channels of a correlation are made from.
struct ChannelSource {
    const Molecule& receptor;
    const Molecule& ligand;
    const DockingFrame& frame;
    const EnergyParameters& parameters;
    const PairPotential& potential;
    const std::vector<CoefficientSet>& sets;
    Restraints receptor_restraints, ligand_restraints;
};

/// Makes all channels of the correlation: repulsion, attraction, electrostatics and P eigen-terms
/// of the pair potential, each with a receptor grid and the weights of the ligand atoms.
/// `same_receptor` is a problem with the same receptor, frame size, parameters, potential and
/// restraints. Its receptor grids are copied instead of made again.
kernels::CorrelationProblem
make_problem(const ChannelSource& source,
             const kernels::CorrelationProblem* same_receptor = nullptr);

}  // namespace tessera::docking
