// The options of a docking that another language calls.
#pragma once

#include <string>

#include "docking/setup/dock_input.hpp"

namespace tessera::docking {

/// The input of the options of a JSON text, `{"rotations": 600, "coefficients": "vdw"}`. Their
/// names are those of the command with `_` for `-`. All others have their defaults. Throws Error
/// for an unknown option, a value of another type, and as DockChoices::complete() does.
DockInput input_of_options(const std::string& json);

/// The same options as a configuration file of the command, with all defaults.
std::string config_of_options(const std::string& json);

/// Why the command cannot dock the same: "only the memory of a process held the receptor". Empty if
/// it can.
std::string why_no_command(const DockInput& input);

}  // namespace tessera::docking
