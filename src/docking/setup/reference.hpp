// Reads the reference of a docking.
#pragma once

#include <string>

#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"

namespace tessera::docking {

/// Makes what judges poses by the reference of the input, and says what was matched. Returns the
/// hash of the file; empty without a reference. Throws Error as Evaluation and AssemblyEvaluation
/// do.
std::string read_reference(PreparedDocking& prepared, const DockInput& input);

}  // namespace tessera::docking
