// The atom records of mmCIF files.
#pragma once

#include <string>

#include "io/proteins/atom_sites.hpp"

namespace tessera::io {

/// Reads the first model of the first block that has coordinates. Throws Error that names the atom.
AtomSites read_mmcif_atoms(const std::string& text, const std::string& path);

}  // namespace tessera::io
