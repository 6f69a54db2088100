// What a user should know about the atoms of a structure file.
#pragma once

#include "io/proteins/structure.hpp"

namespace tessera::io {

/// Adds a warning for residues without numbers of their own, for atoms that lie on others and for
/// models that are not read.
void warn_of_oddities(Structure& structure);

}  // namespace tessera::io
