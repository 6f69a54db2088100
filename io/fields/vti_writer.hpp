// VTK's XML files of images (.vti), as ParaView and VTK read them.
#pragma once

#include <string>

#include "io/fields/volume.hpp"

namespace tessera::io {

/// Lengths are in Angstrom. The values follow the text as raw bytes, in single precision if the
/// volume has it and else in double precision.
void write_vti(const std::string& path, const Volume& volume);

}  // namespace tessera::io
