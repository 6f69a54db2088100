// Solvent-accessible surface of each atom.
#pragma once

#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

inline constexpr double water_probe_radius = 1.4;  ///< Angstrom

/// Area in A^2 that a probe's centre can reach on each atom's sphere of radius r + probe, by counting
/// test points (Shrake & Rupley, J. Mol. Biol. 79 (1973) 351), here `points` of a Fibonacci spiral: the
/// error of one atom is about its sphere's area / points. Radii in A, as many as positions.
std::vector<double> solvent_accessible_areas(const std::vector<Vec3>& positions,
                                             const std::vector<double>& radii,
                                             double probe = water_probe_radius, int points = 400);

}  // namespace tessera::docking
