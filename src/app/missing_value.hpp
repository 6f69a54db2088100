// Finds options whose values were forgotten.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tessera::app {

/// Throws Error if another option stands where the value of an option belongs: CLI11 would take its
/// name for the value. `words` are the command line, of which the first is the program.
void refuse_missing_values(const CLI::App& program, const std::vector<std::string>& words);

}  // namespace tessera::app
