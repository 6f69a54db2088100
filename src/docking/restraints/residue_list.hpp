// Residues that a user keeps out of the interface (--block) or wants in it (--attract).
#pragma once

#include <string>
#include <vector>

#include "docking/model/energy.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// A partner whose atoms a list of residues flags.
struct FlaggedPartner {
    const io::Structure& structure;
    const Molecule& molecule;
    std::vector<bool>& flags;  ///< [atoms], or empty if no atom is flagged
};

/// Reads lines "receptor|ligand CHAIN NUMBER[-NUMBER]" or "receptor|ligand SELECTION", with the
/// selections of distance restraints, and sets the flags of the atoms that they name. "_" stands
/// for the blank chain, and '#' starts a comment. Throws Error with file and line for a malformed
/// line, or a line that names no atom, which says what the structure has. Throws Error if there are
/// no lines.
void parse_residue_list(const io::TextSource& source, const FlaggedPartner& receptor,
                        const FlaggedPartner& ligand);

/// Reads such a file and returns its SHA-256.
std::string read_residue_list(const std::string& path, const FlaggedPartner& receptor,
                              const FlaggedPartner& ligand);

/// The residues of which both lists flag atoms, as "A 12-15, B 3". Empty if there are none.
std::string residues_in_both(const io::Structure& structure, const Molecule& molecule,
                             const std::vector<bool>& one, const std::vector<bool>& other);

}  // namespace tessera::docking
