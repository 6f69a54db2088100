// The grammar of --combine.
#pragma once

#include <string>

#include "orbitals/selection/combination.hpp"

namespace tessera::orbitals {

/// Reads an expression and multiplies it out (see parse_combinations()). Throws Error naming the
/// place. The result has no name.
Combination parse_expression(const std::string& text);

}  // namespace tessera::orbitals
