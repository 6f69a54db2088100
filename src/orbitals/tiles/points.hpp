// Points that form no grid, from a file of the user.
#pragma once

#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::orbitals {

struct PointList {
    std::vector<Vec3> points;  ///< bohr
    std::string sha256;        ///< of the file
};

/// Reads x, y and z of a point from each line, separated by commas or blanks. Empty lines and lines
/// that begin with # are skipped. The numbers are in Angstrom, or in bohr if a header line x_bohr,
/// y_bohr, z_bohr comes first; x, y, z may stand there as well. Throws Error naming file and line.
PointList read_points(const std::string& path);

}  // namespace tessera::orbitals
