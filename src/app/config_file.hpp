// Configuration files (--config run.toml) with the options of a command by their long names.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "io/text/option_file.hpp"

namespace tessera::app {

/// Adds --config.
void declare_config_option(CLI::App& command);

/// Whether a command line has an option --config.
bool names_config(const std::vector<std::string>& words);

/// Puts the options of the file that --config names into `words`, the command line. Those that the
/// command line has itself are left out; if it has positional ones, so are all of the file. `probe`
/// is the program's options, not yet parsed, and is used up. Throws Error if the file cannot be
/// read, for an unknown key with the nearest one, and for a value of the wrong kind.
std::vector<std::string> with_config(const std::vector<std::string>& words, CLI::App& probe);

/// The same for options that do not come from the command line, of `command`, which is named by the
/// first words.
std::vector<std::string> with_options(const std::vector<std::string>& words,
                                      const CLI::App& command,
                                      const std::vector<io::FileOption>& options);

/// All options of a parsed command as a configuration file, also those that have their default.
/// Without --force: a file does not ask to replace results.
std::string config_text(const CLI::App& command);

}  // namespace tessera::app
