// Types, charges and radii of the atoms of nucleotides (docs/method/docking-nucleic-acids.md).
#pragma once

#include <vector>

#include "docking/model/atom_table.hpp"
#include "io/proteins/structure.hpp"

namespace tessera::docking {

/// The row of an atom in data/chemistry/nucleotides.csv: of its residue, or else of the parent, or
/// else of any nucleotide if it belongs to sugar or phosphate. Null if there is none.
const AtomParameters* nucleotide_row(const io::AtomRecord& atom);

/// Whether the atom belongs to the sugar or the phosphate of a nucleotide. The charge of a
/// phosphate is screened, so that theirs do not add up to whole numbers.
bool has_screened_charge(const io::AtomRecord& atom);

/// Sets the charges at the ends of strands: hydroxyl groups, or a phosphate at the 5' end.
void charge_strand_ends(const std::vector<io::AtomRecord>& atoms,
                        std::vector<AtomParameters>& parameters);

/// Whether any atom is of a nucleotide.
bool has_nucleotides(const io::Structure& structure);

struct NucleicAcid {
    int nucleotides = 0, strands = 0;
};

NucleicAcid nucleic_acid_of(const io::Structure& structure);

}  // namespace tessera::docking
