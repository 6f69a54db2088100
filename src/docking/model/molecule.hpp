// A protein as the docking energy sees it: typed, charged heavy atoms.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "docking/model/atom_table.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Heavy atoms of one partner, parallel arrays of length size(), in file order.
struct Molecule {
    std::vector<Vec3> positions;       ///< Angstrom, as in the file
    std::vector<int> types;            ///< ACE type 0..17 (or the row of a user's pair potential)
    std::vector<double> charges;       ///< elementary charges, polar hydrogens folded in
    std::vector<double> radii;         ///< Angstrom, CHARMM19 Rmin/2
    std::vector<bool> on_surface;      ///< solvent-accessible surface above 1 A^2 (probe 1.4 A)
    std::vector<int> structure_index;  ///< index of the atom in the io::Structure it came from

    std::size_t size() const { return positions.size(); }
};

/// The 18 types of the built-in potential, in the order of its rows: N, CA, C, O, GCA, CB, ...
const std::vector<std::string>& ace_type_names();

/// Types, charges, radii and surface flags of the atoms of `structure` (docs/method/docking-atoms.md).
/// Atoms of unknown residues or names get type CB, charge 0, radius 2.0 A; each such (residue, atom)
/// is named once in `warnings`. The first and last residue of each segment are charged termini.
Molecule make_molecule(const io::Structure& structure, std::vector<std::string>& warnings);

/// The same for another pair potential: a type is the row of `type_names` (PairPotential::type_names)
/// that bears the atom's type name, by the built-in table or, where given, by `atom_types`. Throws
/// Error for an atom whose type the potential lacks, naming residue, atom and type.
Molecule make_molecule(const io::Structure& structure, std::vector<std::string>& warnings,
                       const std::vector<std::string>& type_names,
                       const AtomTypes* atom_types = nullptr);

}  // namespace tessera::docking
