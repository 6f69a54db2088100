// OpenDX scalar fields, as VMD, PyMOL and Chimera read them.
#pragma once

#include <string>

#include "io/fields/volume.hpp"

namespace tessera::io {

/// Regular positions and connections, x slowest. Lengths are in Angstrom, as these programs expect.
void write_opendx(const std::string& path, const Volume& volume);

}  // namespace tessera::io
