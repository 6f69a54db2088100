#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <tuple>

#include "app/dock_command.hpp"
#include "app/export_command.hpp"
#include "app/fit_command.hpp"
#include "app/info_command.hpp"
#include "app/likelihood_command.hpp"
#include "app/name_suggestion.hpp"
#include "app/orbital_command.hpp"
#include "app/plan_command.hpp"
#include "app/rescore_command.hpp"
#include "app/simulate_command.hpp"
#include "app/table_command.hpp"
#include "io/text/nearest_word.hpp"

namespace {

using namespace tessera::app;

using Commands =
    std::tuple<DockCommand, OrbitalCommand, LikelihoodCommand, FitCommand, SimulateCommand,
               PlanCommand, InfoCommand, TableCommand, ExportCommand, RescoreCommand>;

/// The program with all its commands.
struct Program {
    CLI::App app;
    Commands commands;
    Program() {
        std::apply([&](auto&... command) { (command.declare(app), ...); }, commands);
    }
};

std::vector<CLI::App*> commands_of(CLI::App& app) {
    return app.get_subcommands([](CLI::App*) { return true; });
}

std::set<std::string> options_of(const CLI::App& command) {
    std::set<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) names.insert("--" + name);
    return names;
}

/// Every option of the command with one character left out, unless that is an option too.
int check_options(const CLI::App& command) {
    const std::set<std::string> names = options_of(command);
    int tried = 0;
    for (const std::string& name : names)
        for (std::size_t i = 2; i < name.size(); ++i) {
            std::string word = name;
            word.erase(i, 1);
            if (names.contains(word)) continue;
            const std::string meant = nearest_option(command, word);
            EXPECT_TRUE(names.contains(meant)) << command.get_name() << " " << word;
            EXPECT_EQ(tessera::io::edit_distance(word, meant), 1) << word << " " << meant;
            EXPECT_EQ(nearest_option(command, word + "=5"), meant);
            ++tried;
        }
    return tried;
}

TEST(NameSuggestion, EveryOptionWithACharacterLeftOut) {
    Program program;
    int tried = 0;
    for (CLI::App* command : commands_of(program.app)) {
        tried += check_options(*command);
        for (CLI::App* workload : commands_of(*command)) tried += check_options(*workload);
    }
    EXPECT_GT(tried, 1000);
}

TEST(NameSuggestion, EveryCommandWithACharacterLeftOut) {
    Program program;
    for (CLI::App* command : commands_of(program.app)) {
        const std::string name = command->get_name();
        for (std::size_t i = 0; i < name.size(); ++i) {
            std::string word = name;
            word.erase(i, 1);
            const std::string meant = nearest_command(program.app, word);
            EXPECT_EQ(tessera::io::edit_distance(word, meant), 1) << word << " " << meant;
        }
    }
}

TEST(NameSuggestion, WordsFarFromEveryNameHaveNone) {
    Program program;
    const CLI::App& dock = *program.app.get_subcommand("dock");
    EXPECT_EQ(nearest_option(dock, "--levitate"), "");
    EXPECT_EQ(nearest_option(dock, "--surface-"), "");  // begins several options
    EXPECT_EQ(nearest_option(dock, "--" + std::string(100000, 'x')), "");
    EXPECT_EQ(nearest_command(program.app, "molecule"), "");
    EXPECT_FALSE(looks_like_option("-5"));
    EXPECT_FALSE(looks_like_option("-.5"));
    EXPECT_FALSE(looks_like_option("file.pdb"));
}

}  // namespace
