// Finds what a user meant by a mistyped option or command.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace tessera::app {

/// The option of `command`, such as "--grid", that differs from `word` in at most two characters,
/// or else the only one that begins with `word`. Empty if there is none.
std::string nearest_option(const CLI::App& command, const std::string& word);

/// The same for the commands of a program.
std::string nearest_command(const CLI::App& program, const std::string& word);

/// The command whose options were being read: the last one that is named on the command line.
const CLI::App& command_in_use(const CLI::App& program);

/// Whether a word of the command line looks like an option and not like a file or a number.
bool looks_like_option(const std::string& word);

}  // namespace tessera::app
