// Options of tessera orbital that change nothing beside others.
#pragma once

#include <string>
#include <vector>

#include "orbitals/selection/input.hpp"

namespace tessera::orbitals {

/// Whether the run computes nothing but the potential at points, for which it has no grid.
bool computes_points_only(const OrbitalInput& input);

/// A line for a warning about each group of options that change nothing in this run.
std::vector<std::string> unused_options(const OrbitalInput& input);

}  // namespace tessera::orbitals
