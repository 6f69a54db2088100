// The atom records of PDB files.
#pragma once

#include <string>

#include "io/proteins/atom_sites.hpp"

namespace tessera::io {

/// Reads the first model that has atoms, or all that have. The result has at least one element,
/// which has no sites if the text has no atoms. Throws Error that names the line.
std::vector<AtomSites> read_pdb_atoms(const std::string& text, const std::string& path,
                                      Models which);

}  // namespace tessera::io
