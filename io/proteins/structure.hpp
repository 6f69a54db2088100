// Protein structures as read from PDB or mmCIF files. Host types only.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// One heavy atom of a protein chain.
struct AtomRecord {
    std::string name;  ///< "CA", "OD1", ... (MSE's SE is SD; OT1, OT2 are O, OXT; ILE's CD is CD1)
    std::string residue;  ///< three-letter name after mapping modified residues (MSE -> MET)
    std::string
        variant;        ///< the residue before mapping (MSE, HIP, SEP, ...; HSE is HIE, HSP is HIP)
    std::string chain;  ///< author chain name, may be empty
    int residue_number = 0;
    char insertion_code = ' ';
    int segment = 0;        ///< unbroken piece of chain, counted from 0; a new one after TER
    int residue_index = 0;  ///< of its residue in file order, from 0: numbers may be repeated
    std::string element;    ///< upper case
    double b_factor = 0;    ///< Angstrom^2
    Vec3 position;          ///< Angstrom
};

/// The protein atoms of a file, in file order, and what was left out on the way.
struct Structure {
    std::string path, sha256;  ///< of its file
    std::vector<AtomRecord> atoms;
    int waters_skipped = 0;        ///< molecules
    int hetero_atoms_skipped = 0;  ///< ligands, ions, sugars
    int nucleic_atoms_skipped = 0;
    int hydrogens_dropped = 0;  ///< also deuterium and pseudo-atoms
    int alternate_locations_dropped = 0;
    std::vector<std::string> warnings;
};

/// Reads PDB or mmCIF, plain or .gz, told apart by content. First model only; of alternate
/// locations of a residue the conformer of highest occupancy (first on ties); hydrogens, waters and
/// HETATM skipped and counted, modified residues of the usual kinds mapped to their parents also where
/// they are HETATM. Where neighbours have the same number, a backbone atom (N, CA, C) that stands there
/// again more than 2 A away begins a new residue, and a warning tells how many there are.
/// `chains`: author chain names to keep ("_" for the blank one), empty for all. Throws Error with one
/// clear line for a file that is missing, empty, truncated, binary, without protein atoms, with
/// coordinates that are not finite or beyond 10^5 A, or without a chain asked for (names those present).
Structure read_structure(const std::string& path, const std::vector<std::string>& chains = {});
/// The same of a text that is read and unpacked, with '\n' between its lines.
Structure parse_structure(const TextSource& source, const std::vector<std::string>& chains = {});

}  // namespace tessera::io
