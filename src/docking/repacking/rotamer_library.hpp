// How often side chains have which chi angles (potentials/derive_rotamers).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/text/text_scanner.hpp"

namespace tessera::docking {

struct Rotamer {
    double share = 0;                ///< of the residues
    std::vector<double> chis;        ///< mean angles, degrees
    std::vector<double> deviations;  ///< standard deviations, degrees
};

/// The rotamers of each amino acid, the most frequent first.
using RotamerLibrary = std::map<std::string, std::vector<Rotamer>>;

/// Reads a table: the header residue,share,chi1,deviation1,... and rows with as many angles as the
/// residue has. Throws Error with the line number for a malformed row.
RotamerLibrary parse_rotamer_library(const io::TextSource& source);

/// The table of the data folder, read once.
const RotamerLibrary& rotamer_library();

}  // namespace tessera::docking
