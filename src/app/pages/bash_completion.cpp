#include <fmt/format.h>

#include <string>
#include <vector>

#include "app/pages/completions.hpp"

namespace tessera::app {

namespace {

constexpr const char* beginning =
    R"(# Completion of tessera for bash, made from the program's options.
_tessera() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}"
    local command="" commands="" options="" values="" i
    COMPREPLY=()
    if [[ $word == "=" ]]; then
        word=""
    elif [[ $before == "=" ]]; then
        before="${COMP_WORDS[COMP_CWORD - 2]}"
    fi
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$command ${COMP_WORDS[i]}" in
)";

constexpr const char* end = R"(    if [[ $values ]]; then
        COMPREPLY=($(compgen -W "$values" -- "$word"))
    elif [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ $commands ]]; then
        COMPREPLY=($(compgen -W "$commands" -- "$word"))
    fi
}
complete -o default -F _tessera tessera
)";

/// The pattern of `$command $word` that leads to a command: " dock" or "plan dock".
std::string pattern(const CommandText& command) {
    std::vector<std::string> above = command.path;
    above.pop_back();
    return "\"" + joined(above, " ") + " " + command.path.back() + "\"";
}

}  // namespace

std::string bash_completion(const CommandText& program) {
    std::string known, values, words;
    for (const CommandText* command : all_commands(program)) {
        const std::string path = joined(command->path, " ");
        if (!command->path.empty()) known += (known.empty() ? "" : " | ") + pattern(*command);
        std::vector<std::string> names, below;
        for (const OptionText& option : command->options) {
            names.insert(names.end(), option.names.begin(), option.names.end());
            for (const std::string& name : option.names)
                if (!option.choices.empty())
                    values += fmt::format("    \"{} {}\") values=\"{}\" ;;\n", path, name,
                                          joined(option.choices, " "));
        }
        for (const CommandText& each : command->commands) below.push_back(each.path.back());
        words += fmt::format("    \"{}\")\n        options=\"{}\"\n        commands=\"{}\" ;;\n",
                             path, joined(names, " "), joined(below, " "));
    }
    return std::string(beginning) + "        " + known +
           ")\n            command=\"${command:+$command }${COMP_WORDS[i]}\" ;;\n        esac\n"
           "    done\n    case \"$command $before\" in\n" +
           values + "    esac\n    case \"$command\" in\n" + words + "    esac\n" + end;
}

}  // namespace tessera::app
