// The table of a run over many pairs.
#pragma once

#include <string>
#include <vector>

#include "docking/setup/dock_input.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// A row of the table: one docking, with the input that `tessera dock` would get.
struct DockPair {
    std::string name;  ///< the output is NAME.h5
    int line = 0;      ///< line number in the table
    DockInput input;
};

/// Whether the row shares neither rotations nor structures with others, so that all ranks search it
/// alone: a ring, two membrane proteins, or a partner with several conformers.
bool has_own_search(const DockInput& input);

/// Reads a CSV table with a header line. The columns, in any order, are receptor, ligand and the
/// optional name, reference, receptor_chains, ligand_chains, reference_receptor_chains,
/// reference_ligand_chains, antibody, plddt, keep, drop, restraints (files separated by ";"),
/// membrane, membrane_ligand, symmetry, conformers and the others of ensembles. A ring has no
/// ligand. Several chains are written "A;B" or, in quotes, "A,B". Paths are relative to the table's
/// folder. Blank fields and all other options are taken from `common`. A missing name is
/// made from the names of the two files. Throws Error with the line number if the table is
/// malformed or two outputs have the same name. Does not look at the files that the table names.
std::vector<DockPair> read_pair_list(const std::string& path, const DockInput& common);
std::vector<DockPair> parse_pair_list(const io::TextSource& source, const DockInput& common);

}  // namespace tessera::docking
