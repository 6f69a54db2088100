#include "app/name_suggestion.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "io/text/nearest_word.hpp"

namespace tessera::app {

namespace {

std::string nearest(const std::vector<std::string>& names, const std::string& word) {
    constexpr std::size_t longest = 64;
    if (names.empty() || word.size() > longest) return {};
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string_view found = io::nearest_word(word, known);
    const std::size_t most = word.size() > 5 ? 2 : 1;  // two edits turn a short word into any other
    if (io::edit_distance(word, found) <= most) return std::string(found);
    const auto begins = [&](const std::string& name) { return name.starts_with(word); };
    return std::ranges::count_if(names, begins) == 1 ? *std::ranges::find_if(names, begins)
                                                     : std::string();
}

}  // namespace

std::string nearest_option(const CLI::App& command, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return nearest(names, word.substr(0, word.find('=')));
}

std::string nearest_command(const CLI::App& program, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return nearest(names, word);
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
