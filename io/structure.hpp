// Protein structures as read from PDB or mmCIF files. Host types only.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::io {

/// One heavy atom of a protein chain.
struct AtomRecord {
    std::string name;      ///< "CA", "OD1", ...
    std::string residue;   ///< three-letter name after mapping modified residues (MSE -> MET)
    std::string chain;     ///< author chain name
    int residue_number = 0;
    char insertion_code = ' ';
    std::string element;   ///< upper case
    Vec3 position;         ///< Angstrom
};

/// The protein atoms of a file, in file order, and what was left out on the way.
struct Structure {
    std::string path;
    std::vector<AtomRecord> atoms;
    int waters_skipped = 0;
    int hetero_atoms_skipped = 0;
    int alternate_locations_dropped = 0;
    std::vector<std::string> warnings;
};

/// Reads PDB or mmCIF, plain or .gz, told apart by content. First model only; of alternate
/// locations the one of highest occupancy (first on ties); hydrogens, waters and HETATM skipped
/// and counted, modified residues of the usual kinds mapped to their parents.
/// `chains`: author chain names to keep, empty for all. Throws Error with one clear line for a
/// file that is missing, empty, truncated, binary, without protein atoms, with coordinates that are
/// not finite or beyond 10^5 A, or without a chain asked for (names those present).
Structure read_structure(const std::string& path, const std::vector<std::string>& chains = {});

}  // namespace tessera::io
