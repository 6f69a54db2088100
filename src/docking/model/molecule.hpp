// A protein for the docking energy: typed, charged heavy atoms.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "docking/model/atom_table.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The heavy atoms of one partner in file order, as parallel arrays of length size().
struct Molecule {
    std::vector<Vec3> positions;       ///< Angstrom, as in the file
    std::vector<int> types;            ///< ACE type 0..17 (or the row of a user's pair potential)
    std::vector<double> charges;       ///< elementary charges, polar hydrogens folded in
    std::vector<double> radii;         ///< Angstrom, CHARMM19 Rmin/2
    std::vector<bool> on_surface;      ///< solvent-accessible surface is above 1 A^2 (probe 1.4 A)
    std::vector<int> structure_index;  ///< index of the atom in the io::Structure it came from

    std::size_t size() const { return positions.size(); }
};

/// Finds the types, charges, radii and surface flags of all atoms (docs/method/docking-atoms.md).
/// Atoms that no table has are typed by element and bonding (docs/method/docking-chemistry.md). One
/// line in `warnings` names their residues. The first and last residue of each segment are charged
/// termini. `type_names` are the rows of the pair potential (PairPotential::type_names). The type
/// name of an atom comes from `atom_types`, if given, or else from the built-in table. Throws Error
/// if the potential lacks the type of an atom, naming residue, atom and type.
Molecule make_molecule(const io::Structure& structure, std::vector<std::string>& warnings,
                       const std::vector<std::string>& type_names,
                       const AtomTypes* atom_types = nullptr);

}  // namespace tessera::docking
