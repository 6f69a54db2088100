// PIPER's energy as correlations: receptor grids and ligand weights from two molecules.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/model/molecule.hpp"
#include "docking/model/pair_potential.hpp"
#include "docking/model/pose.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::docking {

/// The constants of the energy (docs/method/docking.md, "Energy"); lengths in Angstrom. Two values "surface,
/// buried" apply to atoms whose solvent-accessible surface is above or below 1 A^2.
struct EnergyParameters {
    double surface_core_scale =
        0.9;  ///< core radius of a receptor atom over its van der Waals radius
    double buried_core_scale = 1.2;
    double surface_rim_scale = 1.1;  ///< likewise of the soft rim around the core
    double buried_rim_scale = 1.35;
    double repulsion = 50;             ///< height of the core
    double rim = 0.2;                  ///< height of the rim over that of the core
    double buried_ligand_weight = 40;  ///< what a buried ligand atom counts in the core; surface: 1
    double attraction_cutoff = 6.5;
    double pair_cutoff = 6.0;
    double born_radius = 2;  ///< D of the smoothed Coulomb term
    double electrostatics_cutoff = 15;
    int eigen_terms = 4;  ///< P
};

/// Whether the rotations lie close enough for the defaults of a search in full.
bool is_fine_search(std::int64_t rotations);

/// Height of the core, of the rim over it, and weight of buried ligand atoms in both. In a search of few
/// rotations even the pose nearest the native one overlaps more, so clashes must cost less there.
struct ClashCost {
    double repulsion, rim, buried_ligand_weight;
};
ClashCost default_clash_cost(std::int64_t rotations);

/// Residues a user keeps out of the interface or wants in it, as flags per atom of a molecule.
struct Restraints {
    std::vector<bool> blocked;    ///< [atoms] or empty
    std::vector<bool> attracted;  ///< [atoms] or empty
};

/// Where the partners sit and how large the periodic grid is.
struct DockingFrame {
    Vec3 receptor_center;        ///< bounding-box centre, at voxel 0
    Vec3 ligand_center;          ///< centre of a small enclosing sphere: rotations are about it
    double receptor_extent = 0;  ///< longest bounding-box edge
    double ligand_radius = 0;    ///< of that sphere
    double spacing = 1;
    int n = 0;
};

/// Points along an edge, at most.
inline constexpr int largest_grid = 1024;

/// Centres and grid size; `grid` 0 takes the smallest good FFT size that keeps periodic images apart:
/// n * spacing >= receptor extent + ligand diameter + 2 * 6.5. Throws Error for a grid too small for
/// the two (naming the size needed) or beyond largest_grid.
DockingFrame make_frame(const Molecule& receptor, const Molecule& ligand, double spacing, int grid);

/// PIPER's four coefficient sets (balanced, electrostatic, hydrophobic, vdw), with the weights that go
/// with a pair potential: a built-in one by its name, or a file, which takes those of ACE.
std::vector<CoefficientSet>
default_coefficient_sets(const std::string& pair_potential = default_pair_potential);

/// Names of built-in sets, or a file of lines "name w_rep w_att w_elec w_pair". At most eight.
std::vector<CoefficientSet>
parse_coefficient_sets(const std::string& names_or_file,
                       const std::string& pair_potential = default_pair_potential);

/// All channels of the correlation: repulsion, attraction, electrostatics and P eigen-terms of the
/// pair potential, on the receptor's grid, with the ligand atoms' weights. `same_receptor`: a problem
/// made with the same receptor, frame size, parameters, potential and restraints, whose receptor grids
/// are copied instead of made again.
kernels::CorrelationProblem
make_problem(const Molecule& receptor, const Molecule& ligand, const DockingFrame& frame,
             const EnergyParameters& parameters, const PairPotential& potential,
             const std::vector<CoefficientSet>& sets, const Restraints& receptor_restraints = {},
             const Restraints& ligand_restraints = {},
             const kernels::CorrelationProblem* same_receptor = nullptr);

}  // namespace tessera::docking
