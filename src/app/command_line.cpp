#include "app/command_line.hpp"

#include <CLI/CLI.hpp>

#include <sstream>
#include <utility>

#include <build_info.hpp>

#include "app/dock_command.hpp"
#include "app/export_command.hpp"
#include "app/fit_command.hpp"
#include "app/info_command.hpp"
#include "app/likelihood_command.hpp"
#include "app/orbital_command.hpp"
#include "app/plan_command.hpp"
#include "app/rescore_command.hpp"
#include "app/simulate_command.hpp"
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

/// The text of --help or --version. Throws Error for a parse problem.
std::string text_of(CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        std::ostringstream text;
        app.exit(error, text, text);
        return text.str();
    }
    std::string problem = io::one_line(error.what(), 200);
    while (!problem.empty() && (problem.back() == ' ' || problem.back() == '.')) problem.pop_back();
    const auto chosen = app.get_subcommands();
    if (const auto rest = app.remaining(); chosen.empty() && !rest.empty())
        problem = "unknown command '" + io::one_line(rest.front()) + "'";
    throw Error(problem, "command line",
                "see tessera " + (chosen.empty() ? "" : chosen.front()->get_name() + " ") +
                    "--help");
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
        exporter.declare(app);
        rescore.declare(app);
    }

    bool needs_ranks() const {
        return !info.chosen() && !exporter.chosen() && !simulate.chosen() && !rescore.chosen();
    }

    /// Runs a command that needs no ranks.
    int run_here(const std::string& command_line) const {
        return info.chosen()       ? info.run()
               : simulate.chosen() ? simulate.run()
               : rescore.chosen()  ? rescore.run(command_line)
                                   : exporter.run();
    }

    /// Collective. Runs a command that needs ranks.
    int run(const mpi::Communicator& world, const std::string& command_line,
            std::unique_ptr<StopFlag> stop) {
        const auto on_devices = [&](auto& command) {
            return engine::run_on_able_ranks(world, [&](const mpi::Communicator& ranks) {
                return command.run(ranks, command_line, *stop);
            });
        };
        if (dock.chosen()) return on_devices(dock);
        if (orbital.chosen()) return on_devices(orbital);
        if (likelihood.chosen()) return on_devices(likelihood);
        if (fit.chosen()) return on_devices(fit);
        let_go(std::move(stop));
        return plan.run(world);
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

}  // namespace

struct Parser {
    CLI::App app;
    Commands commands;
};

CommandLine::CommandLine(int argc, char** argv)
    : parser_(std::make_unique<Parser>()), words_(joined(argc, argv)) {
    declare_program(parser_->app);
    parser_->commands.declare(parser_->app);
    try {
        try {
            parser_->app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            text_ = text_of(parser_->app, error);
        }
    } catch (...) {
        problem_ = std::current_exception();
    }
}

CommandLine::~CommandLine() = default;

bool CommandLine::needs_ranks() const {
    return !problem_ && text_.empty() && parser_->commands.needs_ranks();
}

const CLI::App& CommandLine::program() const { return parser_->app; }

int CommandLine::run_here() {
    if (text_.empty()) return parser_->commands.run_here(words_);
    print_text(stdout, text_);
    return 0;
}

int CommandLine::run_alone(std::unique_ptr<StopFlag> stop) {
    let_go(std::move(stop));
    if (problem_) std::rethrow_exception(problem_);
    return run_here();
}

int CommandLine::run(std::unique_ptr<StopFlag> stop) {
    stop->listen_again();  // MPI_Init may have replaced the signal handlers
    const mpi::Communicator world = mpi::Communicator::world();
    engine::require_same(world, "build", engine::program_build(),
                         "install the same program on all nodes");
    world.rethrow_together(problem_);
    if (needs_ranks()) return parser_->commands.run(world, words_, std::move(stop));
    let_go(std::move(stop));
    int code = 0;
    world.together([&] {
        if (world.is_root()) code = run_here();
    });
    return code;
}

}  // namespace tessera::app
