// Options of tessera dock that change nothing beside others.
#pragma once

#include <string>
#include <vector>

#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// A line for a warning about each group of options that change nothing in this docking.
std::vector<std::string> unused_options(const DockInput& input);

}  // namespace tessera::docking
