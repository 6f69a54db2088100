#include "app/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/name_suggestion.hpp"
#include "core/error.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

/// The key of an option: its long name, or its name if it is positional.
std::string key_of(const CLI::Option& option) {
    return option.get_lnames().empty() ? option.get_name() : option.get_lnames().front();
}

bool is_positional(const CLI::Option& option) { return option.get_lnames().empty(); }
bool is_switch(const CLI::Option& option) { return option.get_items_expected_max() == 0; }
bool is_list(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

bool may_stand_in_file(const CLI::Option& option) {
    const std::string key = key_of(option);
    return key != "help" && key != "config";
}

const CLI::Option& option_named(const CLI::App& command, const io::FileOption& wanted) {
    std::vector<std::string> keys;
    for (const CLI::Option* option : command.get_options()) {
        if (!may_stand_in_file(*option)) continue;
        if (key_of(*option) == wanted.name) return *option;
        keys.push_back(key_of(*option));
    }
    const std::vector<std::string_view> known(keys.begin(), keys.end());
    throw Error("cannot read configuration file '" + io::one_line(wanted.place) + "'",
                fmt::format("tessera {} has no option '{}'", command.get_name(),
                            io::one_line(wanted.name, 40)),
                fmt::format("did you mean '{}'?", io::nearest_word(wanted.name, known)));
}

[[noreturn]] void refuse_value(const io::FileOption& option, const std::string& wanted) {
    throw Error("cannot read configuration file '" + io::one_line(option.place) + "'",
                fmt::format("'{}' is not {}", io::one_line(option.name, 40), wanted), "correct it");
}

/// The words of an option on a command line.
std::vector<std::string> words_of(const io::FileOption& given, const CLI::Option& option) {
    if (is_switch(option) != given.is_switch)
        refuse_value(given, is_switch(option) ? "true or false" : "a text or a number");
    if (given.is_switch)
        return given.on ? std::vector<std::string>{"--" + given.name} : std::vector<std::string>{};
    std::string joined;
    std::vector<std::string> words;
    for (const std::string& value : given.values) {
        if (value.empty()) continue;  // the same as not given
        if (is_list(option))
            words.push_back(is_positional(option) ? value : "--" + given.name + "=" + value);
        else
            joined += (joined.empty() ? "" : ",") + value;
    }
    if (!joined.empty())
        words.push_back(is_positional(option) ? joined : "--" + given.name + "=" + joined);
    return words;
}

/// The number of words that name a command, such as 2 for "plan dock".
std::size_t depth_of(const CLI::App& command) {
    return command.get_parent() == nullptr ? 0 : 1 + depth_of(*command.get_parent());
}

void require_nothing(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) option->required(false);
    for (CLI::App* command : app.get_subcommands({})) require_nothing(*command);
}

}  // namespace

void declare_config_option(CLI::App& command) {
    command.add_option("--config", "TOML file of options by their long names, such as rotations = "
                                   "600; options of the command line take precedence");
}

bool names_config(const std::vector<std::string>& words) {
    const auto end = std::ranges::find(words, "--");  // what follows is another command's
    return std::any_of(words.begin(), end, [](const std::string& word) {
        return word == "--config" || word.starts_with("--config=");
    });
}

std::vector<std::string> with_options(const std::vector<std::string>& words,
                                      const CLI::App& command,
                                      const std::vector<io::FileOption>& options) {
    std::vector<std::string> positional, others;
    bool has_positional = false;
    for (const CLI::Option* option : command.get_options())
        has_positional |= is_positional(*option) && option->count() > 0;
    std::vector<const CLI::Option*> order = command.get_options();
    const auto place = [&](const io::FileOption& given) {
        return std::ranges::find(order, &option_named(command, given)) - order.begin();
    };
    std::vector<io::FileOption> sorted = options;  // positional ones as they are declared
    std::ranges::stable_sort(sorted, {}, place);
    for (const io::FileOption& given : sorted) {
        const CLI::Option& option = option_named(command, given);
        const auto added = words_of(given, option);
        if (option.count() > 0 || (is_positional(option) && has_positional)) continue;
        auto& target = is_positional(option) ? positional : others;
        target.insert(target.end(), added.begin(), added.end());
    }
    std::vector<std::string> all = words;
    // A list would take the words behind it, so the options stand at the end, but before "--".
    all.insert(std::ranges::find(all, "--"), others.begin(), others.end());
    const auto behind_name = all.begin() + static_cast<std::ptrdiff_t>(1 + depth_of(command));
    all.insert(behind_name, positional.begin(), positional.end());
    return all;
}

std::vector<std::string> with_config(const std::vector<std::string>& words, CLI::App& probe) {
    require_nothing(probe);
    std::vector<const char*> arguments;
    arguments.reserve(words.size());
    for (const std::string& word : words) arguments.push_back(word.c_str());
    try {
        probe.parse(static_cast<int>(arguments.size()), arguments.data());
    } catch (const CLI::ParseError&) {
        // Parsing with the options of the file will report it.
    }
    const CLI::App& command = command_in_use(probe);
    const CLI::Option* file = command.get_option_no_throw("--config");
    // tessera export has another --config, the name of a file to write.
    if (!file || file->count() != 1 || command.get_name() == "export") return words;
    const io::TextSource source = io::read_option_text(file->results().front());
    return with_options(words, command, io::parse_option_file(source));
}

std::string config_text(const CLI::App& command) {
    std::string text = fmt::format("# tessera {}, all options of a run\n", command.get_name());
    for (const CLI::Option* option : command.get_options()) {
        io::FileOption one;
        one.name = key_of(*option);
        if (!may_stand_in_file(*option) || one.name == "force") continue;
        one.is_switch = is_switch(*option);
        if (one.is_switch) {
            one.on = option->count() > 0;
        } else if (option->count() > 0) {
            one.values = option->results();
        } else if (const std::string value = option->get_default_str();
                   option->get_expected_min() > 0 && !value.empty() && value != "[]") {
            one.values = {
                value};  // a value that is optional has a default only for the option itself
        } else {
            text += fmt::format("# {} is not given\n", one.name);
            continue;
        }
        text += io::option_line(one, is_list(*option));
    }
    return text;
}

}  // namespace tessera::app
