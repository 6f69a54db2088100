#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sstream>
#include <utility>

#include <build_info.hpp>

#include "app/config_file.hpp"
#include "app/devices_command.hpp"
#include "app/dock_command.hpp"
#include "app/export_command.hpp"
#include "app/fit_command.hpp"
#include "app/info_command.hpp"
#include "app/likelihood_command.hpp"
#include "app/merge_command.hpp"
#include "app/missing_value.hpp"
#include "app/name_suggestion.hpp"
#include "app/orbital_command.hpp"
#include "app/plan_command.hpp"
#include "app/queue_command.hpp"
#include "app/report_command.hpp"
#include "app/rerun_command.hpp"
#include "app/rescore_command.hpp"
#include "app/run_command.hpp"
#include "app/sample_command.hpp"
#include "app/screen_command.hpp"
#include "app/simulate_command.hpp"
#include "app/table_command.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "engine/able_ranks.hpp"
#include "engine/agreement.hpp"
#include "io/text/one_line.hpp"
#include "io/text/shell_word.hpp"
#include "mpi/communicator.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::app {

namespace {

std::string joined(int argc, char** argv) {
    std::string line;
    for (int i = 0; i < argc; ++i) line += std::string(i ? " " : "") + io::shell_word(argv[i]);
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

/// The text of --help or --version. Throws Error for a parse problem.
std::string text_of(CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        std::ostringstream text;
        app.exit(error, text, text);
        return text.str();
    }
    refuse_unknown_names(app);
    std::string problem = io::one_line(error.what(), 200);
    while (!problem.empty() && (problem.back() == ' ' || problem.back() == '.')) problem.pop_back();
    throw Error(problem, "command line", see_help(app));
}

/// All commands of the program.
struct Commands {
    DockCommand dock;
    ScreenCommand screen;
    MergeCommand merge;
    OrbitalCommand orbital;
    LikelihoodCommand likelihood;
    FitCommand fit;
    SampleCommand sample;
    SimulateCommand simulate;
    PlanCommand plan;
    DevicesCommand devices;
    RunCommand runner;
    InfoCommand info;
    TableCommand table;
    ReportCommand report;
    ExportCommand exporter;
    RescoreCommand rescore;
    RerunCommand rerun;
    QueueCommand queue;

    /// In the order of --help.
    void declare(CLI::App& app) {
        dock.declare(app);
        screen.declare(app);
        merge.declare(app);
        orbital.declare(app);
        likelihood.declare(app);
        fit.declare(app);
        sample.declare(app);
        simulate.declare(app);
        plan.declare(app);
        devices.declare(app);
        runner.declare(app);
        info.declare(app);
        table.declare(app);
        report.declare(app);
        exporter.declare(app);
        rescore.declare(app);
        rerun.declare(app);
        queue.declare(app);
    }

    /// For the command of a rerun.
    void expect(const ExpectedInput& input) {
        dock.expect(input);
        screen.expect(input);
        orbital.expect(input);
        likelihood.expect(input);
        fit.expect(input);
        sample.expect(input);
        rescore.expect(input);
    }

    bool needs_ranks() const {
        return !info.chosen() && !table.chosen() && !report.chosen() && !exporter.chosen() &&
               !simulate.chosen() && !merge.chosen() && !rescore.chosen() && !orbital.lists() &&
               !starts_programs() && !devices.chosen();
    }

    /// Whether the command starts other programs that may start MPI.
    bool starts_programs() const { return queue.chosen() || runner.chosen() || plan.compares(); }

    /// Runs a command that needs no ranks.
    int run_here(const std::string& command_line, const std::vector<std::string>& arguments) const {
        if (runner.chosen()) runner.run();
        return info.chosen()       ? info.run()
               : table.chosen()    ? table.run()
               : report.chosen()   ? report.run()
               : simulate.chosen() ? simulate.run()
               : merge.chosen()    ? merge.run()
               : rescore.chosen()  ? rescore.run(command_line)
               : orbital.chosen()  ? orbital.print_list()
               : queue.chosen()    ? queue.run()
               : devices.chosen()  ? devices.run()
               : plan.chosen()     ? plan.compare(arguments)
                                   : exporter.run();
    }

    /// Collective. Runs a command that needs ranks.
    int run(const mpi::Communicator& world, const std::string& command_line,
            std::unique_ptr<StopFlag> stop) {
        const auto on_devices = [&](auto& command) {
            return engine::run_on_able_ranks(world, command.options().device.names,
                                             [&](const mpi::Communicator& ranks) {
                                                 return command.run(ranks, command_line, *stop);
                                             });
        };
        if (dock.chosen()) return on_devices(dock);
        if (screen.chosen()) return on_devices(screen);
        if (orbital.chosen()) return on_devices(orbital);
        if (likelihood.chosen()) return on_devices(likelihood);
        if (fit.chosen()) return on_devices(fit);
        if (sample.chosen()) return on_devices(sample);
        let_go(std::move(stop));
        return plan.run(world);
    }
};

void declare_program(CLI::App& app) {
    app.description("tessera " + std::string(build_info::version) +
                    ": docking, orbitals and stellar streams on every GPU and core of a cluster");
    app.set_version_flag("--version", std::string("tessera ") + build_info::version + " (" +
                                          build_info::revision_and_cpu + ")");
    app.require_subcommand(1);
    app.option_defaults()->always_capture_default();
}

}  // namespace

struct Parser {
    CLI::App app;
    Commands commands;

    Parser() {
        declare_program(app);
        commands.declare(app);
    }
    /// Returns the text of --help or --version, or an empty one. Throws Error for a wrong line.
    std::string parse(const std::vector<std::string>& words) {
        std::vector<const char*> arguments;
        for (const std::string& word : words) arguments.push_back(word.c_str());
        try {
            app.parse(static_cast<int>(arguments.size()), arguments.data());
        } catch (const CLI::ParseError& error) {
            return text_of(app, error);
        }
        return {};
    }
};

CommandLine::CommandLine(int argc, char** argv)
    : parser_(std::make_unique<Parser>()),
      arguments_(argv, argv + argc),
      words_(joined(argc, argv)) {
    try {
        std::vector<std::string> words = with_command_marked(arguments_);
        refuse_missing_values(parser_->app, words);
        if (names_config(words)) {
            Parser probe;
            words = with_config(words, probe.app);
        }
        text_ = parser_->parse(words);
        if (text_.empty() && parser_->commands.rerun.chosen()) take_up(words.front());
    } catch (...) {
        problem_ = std::current_exception();
    }
}

void CommandLine::take_up(const std::string& program) {
    const RerunCommand rerun = parser_->commands.rerun;
    auto parser = std::make_unique<Parser>();
    text_ = parser->parse(rerun.words(program, Parser().app));
    parser->commands.expect(rerun.expected());
    parser_ = std::move(parser);
}

CommandLine::~CommandLine() = default;

bool CommandLine::needs_ranks() const {
    return !problem_ && text_.empty() && parser_->commands.needs_ranks();
}

bool CommandLine::shuns_mpi() const {
    return !problem_ && text_.empty() && parser_->commands.starts_programs();
}

const CLI::App& CommandLine::program() const { return parser_->app; }

int CommandLine::run_here() {
    if (text_.empty()) return parser_->commands.run_here(words_, arguments_);
    print_text(stdout, text_);
    return 0;
}

int CommandLine::run_alone(std::unique_ptr<StopFlag> stop) {
    if (shuns_mpi() && parser_->commands.queue.chosen() && parser_->commands.queue.runs_jobs())
        return parser_->commands.queue.run_jobs(*stop);
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
