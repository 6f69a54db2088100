// Gaussian cube files.
#pragma once

#include <string>

#include "io/fields/volume.hpp"

namespace tessera::io {

/// Two comment lines, atoms and axes in bohr, then values with x slowest and z fastest, six a line.
void write_cube(const std::string& path, const Volume& volume);

}  // namespace tessera::io
