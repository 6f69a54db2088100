// The table of a run over many pairs.
#pragma once

#include <string>
#include <vector>

#include "docking/setup/dock_input.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// A row: what the single command would be given.
struct DockPair {
    std::string name;  ///< of its output, NAME.h5
    int line = 0;      ///< in the table's file
    DockInput input;
};

/// Reads a CSV table with a header line; columns in any order: receptor, ligand, and as wished name,
/// reference, receptor_chains, ligand_chains, reference_receptor_chains, reference_ligand_chains (several
/// chains as "A;B" or quoted "A,B"). Paths are relative to the table's folder. Everything else, and what a
/// blank field leaves open, is as in `common`. A missing name is made of the two files' names. Throws
/// Error naming the line for a table that cannot be understood or whose outputs would share a name;
/// files are not looked at.
std::vector<DockPair> read_pair_list(const std::string& path, const DockInput& common);
std::vector<DockPair> parse_pair_list(const io::TextSource& source, const DockInput& common);

/// Lengths of runs of neighbouring pairs with the same receptor and chains, none longer than `longest`.
std::vector<int> receptor_groups(const std::vector<const DockPair*>& pairs, int longest);

}  // namespace tessera::docking
