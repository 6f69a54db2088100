// The atom records of PDB files.
#pragma once

#include <string>

#include "io/proteins/atom_sites.hpp"

namespace tessera::io {

/// Reads the first model that has atoms. Throws Error that names the line.
AtomSites read_pdb_atoms(const std::string& text, const std::string& path);

}  // namespace tessera::io
