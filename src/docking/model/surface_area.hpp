// The solvent-accessible surface of each atom.
#pragma once

#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

inline constexpr double water_probe_radius = 1.4;  ///< Angstrom

/// The area in A^2 that the centre of a probe can reach on each atom's sphere of radius r + probe.
/// It is found by counting test points (Shrake & Rupley, J. Mol. Biol. 79 (1973) 351), here
/// `points` of a Fibonacci spiral. The error for one atom is about the area of its sphere / points.
/// `radii` holds one radius in A for each position.
std::vector<double> solvent_accessible_areas(const std::vector<Vec3>& positions,
                                             const std::vector<double>& radii,
                                             double probe = water_probe_radius, int points = 400);

}  // namespace tessera::docking
