#include "app/name_suggestion.hpp"

#include <cctype>
#include <vector>

#include "io/text/near_name.hpp"

namespace tessera::app {

std::string nearest_option(const CLI::App& command, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return io::near_name(word.substr(0, word.find('=')), names);
}

std::string nearest_command(const CLI::App& program, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return io::near_name(word, names);
}

const CLI::App& command_in_use(const CLI::App& program) {
    const auto chosen = program.get_subcommands();
    return chosen.empty() ? program : command_in_use(*chosen.back());
}

bool looks_like_option(const std::string& word) {
    return word.size() > 2 && word.starts_with("-") &&
           std::isdigit(static_cast<unsigned char>(word[1])) == 0 && word[1] != '.';
}

}  // namespace tessera::app
