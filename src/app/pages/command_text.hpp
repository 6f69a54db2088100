// What the command line says about itself, as plain text for manual pages and completions.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tessera::app {

struct OptionText {
    std::vector<std::string> names;    ///< such as "-o" and "--output"; the name of a positional
    std::string value;                 ///< the type of the value, such as "INT"; empty for a flag
    std::string limits;                ///< the values that are allowed, in words
    std::vector<std::string> choices;  ///< the only values that are allowed; may be empty
    std::string fallback;              ///< the default; empty if there is none
    std::string description;
    std::string group;  ///< the heading in --help
    bool required = false;
};

struct CommandText {
    std::vector<std::string> path;  ///< such as "plan" and "dock"; empty for the program itself
    std::string description, footer;
    std::vector<OptionText> positionals, options;
    std::vector<CommandText> commands;
};

/// The program with all its commands.
CommandText text_of(const CLI::App& program);

/// The command and all commands below it, each before those below it.
std::vector<const CommandText*> all_commands(const CommandText& program);

std::string joined(const std::vector<std::string>& words, const std::string& between);

}  // namespace tessera::app
