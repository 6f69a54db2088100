// Structures of proteins and nucleic acids from PDB or mmCIF files. Host types only.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/proteins/plddt.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// One heavy atom of a protein or nucleic acid, or of a molecule beside it.
struct AtomRecord {
    std::string name;  ///< "CA", "OD1", ... (MSE's SE is SD; OT1, OT2 are O, OXT; ILE's CD is CD1)
    std::string residue;  ///< three-letter name after mapping modified residues (MSE -> MET)
    /// The residue before mapping (MSE, HIP, SEP, ...; HSE is HIE, HSP is HIP).
    std::string variant;
    std::string chain;  ///< author chain name, may be empty
    int residue_number = 0;
    char insertion_code = ' ';
    int segment = 0;        ///< continuous piece of a chain, from 0; TER begins a new one
    int residue_index = 0;  ///< of its residue in file order, from 0; unique, unlike numbers
    std::string element;    ///< upper case
    double b_factor = 0;    ///< Angstrom^2
    Vec3 position;          ///< Angstrom
    bool hetero = false;    ///< of a molecule that is kept beside the protein
    bool nucleic = false;   ///< of a nucleotide
};

/// The atoms of a partner, in file order, and the counts of what was left out.
struct Structure {
    std::string path, sha256;  ///< of its file
    /// Of the proteins, and then of the nucleic acids that belong to the partner. Docking appends
    /// the molecules that it keeps; their atoms are `hetero`.
    std::vector<AtomRecord> atoms;
    /// Heavy atoms of waters, ions, cofactors and the like, with residue indices of their own.
    /// Their residue and variant are the name in the file.
    std::vector<AtomRecord> hetero;
    /// Nucleic acids beside a protein, with residue indices and segments of their own.
    std::vector<AtomRecord> nucleic;
    int waters_skipped = 0;         ///< molecules
    int hetero_atoms_skipped = 0;   ///< ligands, ions, sugars
    int nucleic_atoms_skipped = 0;  ///< those in `nucleic`
    int hydrogens_dropped = 0;      ///< also deuterium and pseudo-atoms
    int alternate_locations_dropped = 0;
    int other_models = 0;       ///< models of the file that are not read
    int residues_left_out = 0;  ///< of low pLDDT; reading leaves none out, but docking does
    std::vector<std::string> warnings;
    Plddt plddt;  ///< of a predicted model
};

/// Reads PDB or mmCIF, plain or .gz, recognised by the content. Only the first model is read. Of
/// alternate locations of a residue, the conformer of highest occupancy is kept (the first on
/// ties). Hydrogens are dropped. Modified residues of the usual kinds are mapped to their parents,
/// even if they are HETATM records. Other HETATM records with a peptide bond to their chain are
/// residues of unknown kind. Waters and all other HETATM records go into `hetero` and are counted.
/// If chains are chosen, a molecule with a chain name of its own belongs to the nearest chain of
/// protein. If neighbouring residues have the same number, a repeated backbone atom (N, CA, C) more
/// than 2 A away begins a new residue. A warning gives the number of such residues.
///
/// Nucleic acids are part of `atoms` if the file has no protein, or if `chains` names their chain
/// and it holds no protein. All others go into `nucleic` and are counted. Each strand is a segment.
///
/// `chains`: author chain names to keep ("_" for the blank one); empty for all. Throws Error with
/// one clear line for a file that is missing, empty, truncated, binary or without atoms of proteins
/// or nucleic acids.
/// Also throws for coordinates that are not finite or beyond 10^5 A, and for a requested chain that
/// does not exist (the message names the existing ones).
Structure read_structure(const std::string& path, const std::vector<std::string>& chains = {});
/// The same for a text that has been read and unpacked, with '\n' between its lines.
Structure parse_structure(const TextSource& source, const std::vector<std::string>& chains = {});

/// All models that have atoms, each as parse_structure() reads the first one.
std::vector<Structure> parse_models(const TextSource& source,
                                    const std::vector<std::string>& chains = {});

}  // namespace tessera::io
