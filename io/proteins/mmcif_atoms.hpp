// The atom records of mmCIF files.
#pragma once

#include <string>

#include "io/proteins/atom_sites.hpp"

namespace tessera::io {

/// Reads the first model, or all models, of the first block that has coordinates. Throws Error that
/// names the atom.
std::vector<AtomSites> read_mmcif_atoms(const std::string& text, const std::string& path,
                                        Models which);

}  // namespace tessera::io
