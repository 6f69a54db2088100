// Completion of the command line in bash, zsh and fish.
#pragma once

#include <string>

#include "app/pages/command_text.hpp"

namespace tessera::app {

/// The script that a shell reads. It completes commands, options, the values of options that have a
/// fixed set of them, and otherwise file names.
std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);
std::string fish_completion(const CommandText& program);

}  // namespace tessera::app
