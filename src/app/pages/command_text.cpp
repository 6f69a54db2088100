#include "app/pages/command_text.hpp"

#include <sstream>

namespace tessera::app {

namespace {

/// The words of "{single,double}".
std::vector<std::string> words_in_braces(const std::string& text) {
    std::vector<std::string> words;
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') return words;
    std::istringstream rest(text.substr(1, text.size() - 2));
    for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
    return words;
}

OptionText text_of(const CLI::Option& option) {
    OptionText text;
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (option.get_positional()) text.names = {option.get_single_name()};
    if (option.get_items_expected_max() > 0) {
        const std::string type = option.get_type_name();  // such as INT:in [1 - 9]
        const auto colon = type.find(':');
        text.value = type.substr(0, colon);
        if (colon != std::string::npos) text.limits = type.substr(colon + 1);
        text.choices = words_in_braces(text.limits);
        if (option.get_default_str() != "[]") text.fallback = option.get_default_str();
    }
    text.description = option.get_description();
    text.group = option.get_group();
    text.required = option.get_required();
    return text;
}

CommandText text_of(const CLI::App& app, std::vector<std::string> path) {
    CommandText text{std::move(path), app.get_description(), app.get_footer(), {}, {}, {}};
    for (const CLI::Option* option : app.get_options({})) {
        if (option->get_group().empty()) continue;  // hidden
        (option->get_positional() ? text.positionals : text.options).push_back(text_of(*option));
    }
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        std::vector<std::string> below = text.path;
        below.push_back(command->get_name());
        text.commands.push_back(text_of(*command, std::move(below)));
    }
    return text;
}

}  // namespace

CommandText text_of(const CLI::App& program) { return text_of(program, {}); }

std::vector<const CommandText*> all_commands(const CommandText& program) {
    std::vector<const CommandText*> all{&program};
    for (const CommandText& command : program.commands)
        for (const CommandText* below : all_commands(command)) all.push_back(below);
    return all;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

}  // namespace tessera::app
