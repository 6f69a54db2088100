// The files of distance restraints as they are written, before anything is looked up in a
// structure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "docking/restraints/atom_selection.hpp"
#include "docking/restraints/required_share.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::docking {

/// A restraint on the distance of the atoms of two selections.
struct RestraintLine {
    std::string where;  ///< "PATH:LINE"
    std::string name;
    AtomSelection first, second;
    bool first_is_receptor = false;  ///< otherwise the atoms decide which partner is meant
    std::size_t group = 0;           ///< index into the groups of the file
    double lower = 0, upper = 0;     ///< Angstrom
};

struct GroupLine {
    std::string name;
    RequiredShare required;  ///< not given: the program's option decides
    std::string where;       ///< "PATH:LINE" of the first restraint
};

struct RestraintFile {
    std::vector<GroupLine> groups;
    std::vector<RestraintLine> restraints;
    bool is_haddock_table = false;
    std::string path, sha256;
};

/// Reads a HADDOCK table of statements "assign (selection) (selection) distance minus plus", or a
/// CSV table with the columns receptor, ligand, upper and, optionally, lower, group, required and
/// name (docs/reference/formats.md, "Distance restraints"). The content decides which. Throws Error
/// with file and line.
RestraintFile parse_restraint_file(const io::TextSource& source);
RestraintFile read_restraint_file(const std::string& path);

/// Whether the text has the statements of a HADDOCK table.
bool is_haddock_table(const io::TextSource& source);
RestraintFile parse_haddock_table(const io::TextSource& source);

/// Throws Error if the bounds are not 0 <= lower <= upper, or if upper is not in (0, 1000].
void check_bounds(const RestraintLine& restraint);

}  // namespace tessera::docking
