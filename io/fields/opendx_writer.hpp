// OpenDX scalar fields, as VMD, PyMOL and Chimera read them.
#pragma once

#include <string>

#include "io/fields/volume.hpp"

namespace tessera::io {

/// Regular positions and connections; lengths in Angstrom, as those programs take them; x slowest.
void write_opendx(const std::string& path, const Volume& volume);

}  // namespace tessera::io
