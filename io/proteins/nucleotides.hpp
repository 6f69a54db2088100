// Nucleotides in structure files: their names, and the strands that they form.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/proteins/residue_grouping.hpp"
#include "io/proteins/residue_names.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::io {

/// Whether a bond from O3' to P joins the residue to the one before it or after it in its chain
/// (nearer than 2.5 A). So a modified nucleotide is found whose name no table has.
bool is_nucleotide_link(const std::vector<Residue>& residues, std::size_t place);

/// The name of a nucleotide. The parent is DA, DC, DG, DT, DU, DI, A, C, G, U or I, or the name in
/// the file if it tells no base. Names such as ADE and A5, and the one-letter names of older files,
/// are DNA if the residue has no O2'.
ResidueName nucleotide_name(const Residue& residue);

/// The name of an atom as in the chemical component dictionary: O1P is OP1, C5M is C7.
std::string nucleotide_atom_name(const std::string& name);

/// The atom that stands for a residue where a protein has its C-alpha.
inline constexpr const char* nucleotide_trace = "C1'";

/// Whether the atom stands for its residue: C-alpha or C1'.
bool is_trace(const AtomRecord& atom);

/// Begins a new segment where a strand ends, because files may give one chain name to both strands
/// of a duplex. O3' and P are farther apart there than 4 A, and 5 A more for each number that is
/// missing between them.
void separate_strands(std::vector<AtomRecord>& atoms);

/// Numbers the residues from 0, some of which may be gone.
void number_residues(std::vector<AtomRecord>& atoms);

/// Moves the nucleic acids that lie beside the protein of a structure behind its atoms.
void take_nucleic_acids(Structure& structure);

}  // namespace tessera::io
