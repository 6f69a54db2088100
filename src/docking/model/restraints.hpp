// Residues that a user keeps out of the interface (--block) or wants in it (--attract).
#pragma once

#include <string>
#include <vector>

#include "docking/model/energy.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// Lines "receptor|ligand CHAIN NUMBER[-NUMBER]" ("_": the blank chain); '#' starts a comment. Sets
/// the flags of both partners' atoms. Throws Error naming file and line for a line it cannot read or
/// that names no atom, and for a file without such a line.
void parse_residue_list(const io::TextSource& source, const io::Structure& receptor_structure,
                        const Molecule& receptor, const io::Structure& ligand_structure,
                        const Molecule& ligand, std::vector<bool>& receptor_flags,
                        std::vector<bool>& ligand_flags);

/// Reads a file of them; returns its SHA-256.
std::string read_residue_list(const std::string& path, const io::Structure& receptor_structure,
                              const Molecule& receptor, const io::Structure& ligand_structure,
                              const Molecule& ligand, std::vector<bool>& receptor_flags,
                              std::vector<bool>& ligand_flags);

}  // namespace tessera::docking
