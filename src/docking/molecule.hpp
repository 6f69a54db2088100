// A protein as the docking energy sees it: typed, charged heavy atoms.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/structure.hpp"

namespace tessera::docking {

/// Heavy atoms of one partner, parallel arrays of length size(), in file order.
struct Molecule {
    std::vector<Vec3> positions;   ///< Angstrom, as in the file
    std::vector<int> types;        ///< ACE type 0..17 (or the row of a user's pair potential)
    std::vector<double> charges;   ///< elementary charges, polar hydrogens folded in
    std::vector<double> radii;     ///< Angstrom, CHARMM19 Rmin/2
    std::vector<bool> on_surface;  ///< solvent-accessible surface above 1 A^2 (probe 1.4 A)
    std::vector<int> structure_index;  ///< index of the atom in the io::Structure it came from

    std::size_t size() const { return positions.size(); }
};

/// Types, charges, radii and surface flags of the atoms of `structure` (docs/docking.md, "Atoms").
/// Atoms of unknown residues or names get type CB, charge 0, radius 2.0 A; each such (residue, atom)
/// is named once in `warnings`.
Molecule make_molecule(const io::Structure& structure, std::vector<std::string>& warnings);

}  // namespace tessera::docking
