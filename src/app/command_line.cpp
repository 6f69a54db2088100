#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sstream>
#include <utility>

#include <build_info.hpp>

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
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "engine/able_ranks.hpp"
#include "engine/agreement.hpp"
#include "io/text/one_line.hpp"
#include "mpi/communicator.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::app {

namespace {

std::string joined(int argc, char** argv) {
    std::string line;
    for (int i = 0; i < argc; ++i) line += std::string(i ? " " : "") + argv[i];
    return line;
}

std::string see_help(const CLI::App& app) {
    std::string words;
    for (const CLI::App* command = &command_in_use(app); command != &app;
         command = command->get_parent())
        words.insert(0, command->get_name() + " ");
    return "see tessera " + words + "--help";
}

/// Throws Error for the first name that no option or command has, with the nearest name if there is
/// one. Such a name explains what else seems to be missing.
void refuse_unknown_names(const CLI::App& app) {
    const CLI::App& command = command_in_use(app);
    const bool wants_command =
        !command.get_subcommands([](const CLI::App*) { return true; }).empty();
    for (const std::string& word : command.remaining()) {
        const bool option = looks_like_option(word);
        if (!option && !wants_command) continue;
        const std::string meant =
            option ? nearest_option(command, word) : nearest_command(command, word);
        throw Error(fmt::format("unknown {} '{}'", option ? "option" : "command",
                                io::one_line(word.substr(0, word.find('=')))),
                    meant.empty() ? "command line" : "did you mean " + meant + "?", see_help(app));
    }
}

/// Prints the text of --help or --version and returns 0. Throws Error for a parse problem.
int finish_parse(CLI::App& app, const CLI::ParseError& error, bool speaks) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        std::ostringstream text;
        app.exit(error, text, text);
        if (speaks) print_text(stdout, text.str());
        return 0;
    }
    refuse_unknown_names(app);
    std::string problem = io::one_line(error.what(), 200);
    while (!problem.empty() && (problem.back() == ' ' || problem.back() == '.')) problem.pop_back();
    throw Error(problem, "command line", see_help(app));
}

/// All commands of the program.
struct Commands {
    DockCommand dock;
    OrbitalCommand orbital;
    LikelihoodCommand likelihood;
    FitCommand fit;
    SimulateCommand simulate;
    PlanCommand plan;
    InfoCommand info;
    TableCommand table;
    ExportCommand exporter;
    RescoreCommand rescore;

    /// In the order of --help.
    void declare(CLI::App& app) {
        dock.declare(app);
        orbital.declare(app);
        likelihood.declare(app);
        fit.declare(app);
        simulate.declare(app);
        plan.declare(app);
        info.declare(app);
        table.declare(app);
        exporter.declare(app);
        rescore.declare(app);
    }
};

void declare_program(CLI::App& app) {
    app.description("tessera " + std::string(build_info::version) +
                    ": docking, orbitals and stellar streams on every GPU and core of a cluster");
    app.set_version_flag("--version", std::string("tessera ") + build_info::version + " (" +
                                          build_info::git_revision + ")");
    app.require_subcommand(1);
    app.option_defaults()->always_capture_default();
}

/// Collective. Runs the chosen command.
int run_chosen(const mpi::Communicator& world, Commands& commands, const std::string& command_line,
               std::unique_ptr<StopFlag> stop) {
    const auto on_devices = [&](auto& command) {
        return engine::run_on_able_ranks(world, [&](const mpi::Communicator& ranks) {
            return command.run(ranks, command_line, *stop);
        });
    };
    if (commands.dock.chosen()) return on_devices(commands.dock);
    if (commands.orbital.chosen()) return on_devices(commands.orbital);
    if (commands.likelihood.chosen()) return on_devices(commands.likelihood);
    if (commands.fit.chosen()) return on_devices(commands.fit);
    let_go(std::move(stop));
    if (commands.plan.chosen()) return commands.plan.run(world);
    int code = 0;
    // One rank does the remaining commands.
    world.together([&] {
        if (!world.is_root()) return;
        code = commands.info.chosen()       ? commands.info.run()
               : commands.table.chosen()    ? commands.table.run()
               : commands.simulate.chosen() ? commands.simulate.run()
               : commands.rescore.chosen()  ? commands.rescore.run(command_line)
                                            : commands.exporter.run();
    });
    return code;
}

}  // namespace

int run_command_line(int argc, char** argv, std::unique_ptr<StopFlag> stop) {
    stop->listen_again();  // MPI_Init may have replaced the signal handlers
    const mpi::Communicator world = mpi::Communicator::world();
    engine::require_same(world, "build", engine::program_build(),
                         "install the same program on all nodes");
    CLI::App app;
    declare_program(app);
    Commands commands;
    commands.declare(app);
    int code = 0;
    bool parsed = false;
    world.together([&] {
        try {
            app.parse(argc, argv);
            parsed = true;
        } catch (const CLI::ParseError& error) {
            code = finish_parse(app, error, world.is_root());
        }
    });
    if (!parsed) return code;
    return run_chosen(world, commands, joined(argc, argv), std::move(stop));
}

}  // namespace tessera::app
