// The chains and residues of a structure.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// A residue of a structure, with the positions of its atoms.
struct Residue {
    std::string chain;
    std::string name;  ///< three letters
    int number = 0;
    char insertion_code = ' ';
    std::vector<std::string> atom_names;
    std::vector<Vec3> positions;  ///< parallel to atom_names
    int index = 0;                ///< AtomRecord::residue_index
    bool nucleic = false;         ///< a nucleotide

    /// The position of the atom with this name. Null if it is missing.
    const Vec3* find(const std::string& atom) const;
    /// The position of the atom that stands for the residue: C-alpha or C1'. Null if it is missing.
    const Vec3* trace() const;
};

/// The residues of a chain in file order. Each strand of a nucleic acid is a chain of its own, even
/// if they share a name.
struct Chain {
    std::string name;
    std::vector<Residue> residues;
    int strand = -1;  ///< AtomRecord::segment of a nucleic acid; -1 for a protein
};

/// The chains of a structure in the order of their first atoms.
/// Molecules beside the proteins are left out.
std::vector<Chain> chains_of(const io::Structure& structure);

}  // namespace tessera::docking
