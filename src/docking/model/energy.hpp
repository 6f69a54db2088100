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

/// Whether the rotations lie close enough for the defaults of a full search.
bool is_fine_search(std::int64_t rotations);

/// The height of the core, the relative height of the rim, and the weight of buried ligand atoms in
/// both. With few rotations even the pose nearest to the native one overlaps more, so clashes must
/// cost less.
struct ClashCost {
    double repulsion, rim, buried_ligand_weight;
};
ClashCost default_clash_cost(std::int64_t rotations);

/// Residues that a user keeps out of the interface or wants in it, as a flag for each atom of a
/// molecule.
struct Restraints {
    std::vector<bool> blocked;    ///< [atoms] or empty
    std::vector<bool> attracted;  ///< [atoms] or empty
};

/// Where the partners sit and how large the periodic grid is.
struct DockingFrame {
    Vec3 receptor_center;        ///< centre of the bounding box, at voxel 0
    Vec3 ligand_center;          ///< centre of a small enclosing sphere, and of all rotations
    double receptor_extent = 0;  ///< longest edge of the bounding box
    double ligand_radius = 0;    ///< radius of the enclosing sphere
    double spacing = 1;
    int n = 0;
};

/// The largest number of points along an edge.
inline constexpr int largest_grid = 1024;

/// Chooses the centres and the grid size. With `grid` 0 it takes the smallest good FFT size that
/// keeps periodic images apart: n * spacing >= receptor extent + ligand diameter + 2 * 6.5 A.
/// Throws Error if the grid is too small for the two partners, naming the size needed, or larger
/// than largest_grid.
DockingFrame make_frame(const Molecule& receptor, const Molecule& ligand, double spacing, int grid);

/// PIPER's four coefficient sets (balanced, electrostatic, hydrophobic, vdw), with the weights for
/// a pair potential. The potential is the name of a built-in one, or a file, which takes the
/// weights of ACE.
std::vector<CoefficientSet>
default_coefficient_sets(const std::string& pair_potential = default_pair_potential);

/// Reads the names of built-in sets, or a file of lines "name w_rep w_att w_elec w_pair". At most
/// eight sets.
std::vector<CoefficientSet>
parse_coefficient_sets(const std::string& names_or_file,
                       const std::string& pair_potential = default_pair_potential);

/// Makes all channels of the correlation: repulsion, attraction, electrostatics and P eigen-terms
/// of the pair potential, each with a receptor grid and the weights of the ligand atoms.
/// `same_receptor` is a problem with the same receptor, frame size, parameters, potential and
/// restraints. Its receptor grids are copied instead of made again.
kernels::CorrelationProblem
make_problem(const Molecule& receptor, const Molecule& ligand, const DockingFrame& frame,
             const EnergyParameters& parameters, const PairPotential& potential,
             const std::vector<CoefficientSet>& sets, const Restraints& receptor_restraints = {},
             const Restraints& ligand_restraints = {},
             const kernels::CorrelationProblem* same_receptor = nullptr);

}  // namespace tessera::docking
