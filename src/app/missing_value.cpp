#include "app/missing_value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

const CLI::App& command_named(const CLI::App& program, const std::vector<std::string>& words) {
    const CLI::App* command = &program;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto commands = command->get_subcommands(
            [&](const CLI::App* one) { return one->get_name() == words[i]; });
        if (commands.empty()) break;
        command = commands.front();
    }
    return *command;
}

const CLI::Option* option_named(const CLI::App& command, const std::string& word) {
    return word.size() > 1 && word.starts_with('-') ? command.get_option_no_throw(word) : nullptr;
}

/// Whether the word is an option or the mark "--". A number below 0 is a value, and so is a file.
bool is_no_value(const CLI::App& command, const std::string& word) {
    return word.starts_with("--") || option_named(command, word);
}

}  // namespace

void refuse_missing_values(const CLI::App& program, const std::vector<std::string>& words) {
    const CLI::App& command = command_named(program, words);
    const auto end = std::ranges::find(words, "--");
    for (auto word = words.begin(); word != end; ++word) {
        const CLI::Option* option = option_named(command, *word);
        if (!option || option->get_expected_min() == 0) continue;
        const auto next = word + 1;
        if (next != words.end() && is_no_value(command, *next))
            throw Error(*word + " has no value",
                        fmt::format("the next word is '{}'", io::one_line(*next, 40)),
                        fmt::format("write the value behind {}, as --{}=VALUE if it begins with -",
                                    *word, option->get_lnames().front()));
    }
}

}  // namespace tessera::app
