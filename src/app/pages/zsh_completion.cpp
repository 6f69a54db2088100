#include <fmt/format.h>

#include <string>

#include "app/pages/completions.hpp"

namespace tessera::app {

namespace {

/// A text in single quotes of zsh; brackets are escaped for _arguments.
std::string escaped(const std::string& text) {
    std::string written;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == '\\') written += '\\';
        written += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return written;
}

/// An argument of _arguments for each name of the option.
std::string option_lines(const OptionText& option) {
    std::string lines;
    for (const std::string& name : option.names) {
        lines += fmt::format(" \\\n        '({}){}[{}]", joined(option.names, " "), name,
                             escaped(option.description));
        if (!option.value.empty())
            lines += fmt::format(":{}:{}", option.value,
                                 option.choices.empty() ? "_files"
                                                        : "(" + joined(option.choices, " ") + ")");
        lines += "'";
    }
    return lines;
}

std::string function_name(const CommandText& command) {
    return command.path.empty() ? "_tessera" : "_tessera_" + joined(command.path, "_");
}

std::string function_of(const CommandText& command) {
    std::string options;
    for (const OptionText& option : command.options) options += option_lines(option);
    const std::string begins = function_name(command) + "() {\n";
    if (command.commands.empty())
        return begins + "    _arguments :" + options + " \\\n        '*:file:_files'\n}\n\n";
    std::string names, cases;
    for (const CommandText& below : command.commands) {
        names += fmt::format(" '{}:{}'", below.path.back(), escaped(below.description));
        cases += fmt::format("            {}) {} ;;\n", below.path.back(), function_name(below));
    }
    return begins + "    local curcontext=\"$curcontext\" state line\n    local -a commands\n" +
           "    commands=(" + names + ")\n    _arguments -C :" + options +
           " \\\n        '1:command:->command' '*::argument:->arguments'\n"
           "    case $state in\n    command) _describe command commands ;;\n"
           "    arguments)\n        case $line[1] in\n" +
           cases + "        esac ;;\n    esac\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CommandText& program) {
    std::string text =
        "#compdef tessera\n# Completion of tessera for zsh, made from the program's options.\n\n";
    for (const CommandText* command : all_commands(program)) text += function_of(*command);
    return text + "_tessera \"$@\"\n";
}

}  // namespace tessera::app
