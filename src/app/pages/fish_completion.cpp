#include <fmt/format.h>

#include <string>

#include "app/pages/completions.hpp"

namespace tessera::app {

namespace {

/// A text in single quotes of fish.
std::string quoted(const std::string& text) {
    std::string written = "'";
    for (const char c : text) written += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
    return written + "'";
}

std::string option_line(const std::string& condition, const OptionText& option) {
    std::string line = condition;
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty()) line += option.choices.empty() ? " -r" : " -x";
    if (!option.choices.empty()) line += " -a " + quoted(joined(option.choices, " "));
    return line + " -d " + quoted(option.description) + "\n";
}

}  // namespace

std::string fish_completion(const CommandText& program) {
    std::string known, lines;
    for (const CommandText* command : all_commands(program)) {
        const std::string path = joined(command->path, " ");
        if (!path.empty()) known += " " + quoted((command->path.size() > 1 ? "" : " ") + path);
        const std::string condition =
            "complete -c tessera -n " + quoted("__tessera_command \"" + path + "\"");
        for (const CommandText& below : command->commands)
            lines += fmt::format("{} -f -a {} -d {}\n", condition, below.path.back(),
                                 quoted(below.description));
        for (const OptionText& option : command->options) lines += option_line(condition, option);
    }
    return "# Completion of tessera for fish, made from the program's options.\n"
           "function __tessera_command\n    set -l command ''\n"
           "    for word in (commandline -opc)[2..-1]\n        switch \"$command $word\"\n"
           "            case" +
           known +
           "\n                set command (string trim \"$command $word\")\n        end\n"
           "    end\n    test \"$command\" = \"$argv[1]\"\nend\n" +
           lines;
}

}  // namespace tessera::app
