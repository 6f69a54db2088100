#include "app/run_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "choice/decision.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "io/text/one_line.hpp"
#include "mpi/launcher.hpp"

namespace tessera::app {

namespace {

constexpr std::array<std::string_view, 6> planned{"dock",       "screen", "orbital",
                                                  "likelihood", "fit",    "sample"};

/// A job script of Slurm by itself has some of a launcher's variables, too.
bool is_one_of_several() {
    return mpi::has_launcher() && !(std::getenv("SLURM_JOB_ID") && !std::getenv("SLURM_STEP_ID"));
}

void require_command(const std::vector<std::string>& words) {
    if (is_one_of_several())
        throw Error("tessera run does not run below mpirun or srun", "it starts the ranks itself",
                    "leave the launcher out, or leave run out");
    if (std::ranges::find(planned, words.front()) == planned.end())
        throw Error("cannot choose devices for '" + io::one_line(words.front(), 40) + "'",
                    "tessera run takes dock, screen, orbital, likelihood, fit and sample",
                    "give one of them, or leave run out");
}

/// Becomes the program words[0], which is looked for in PATH. Throws Error.
[[noreturn]] void become(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    ::execvp(arguments.front(), arguments.data());
    throw Error("cannot start " + io::one_line(words.front()), std::strerror(errno),
                "install it again", ExitCode::resources);
}

/// Open MPI otherwise binds each of two ranks to one core, and counts a slot for each core.
void allow_any_ranks() {
    setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
}

}  // namespace

std::vector<std::string> with_command_marked(std::vector<std::string> words) {
    if (words.size() < 3 || words[1] != "run") return words;
    const auto command = std::find_if(words.begin() + 2, words.end(), [](const std::string& word) {
        return word == "--" || !word.starts_with('-');
    });
    if (command != words.end() && *command != "--") words.insert(command, "--");
    return words;
}

void RunCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand(
        "run", "Run a command by the build and on the devices that take the least time");
    command_->footer("Examples:\n"
                     "  tessera run dock receptor.pdb ligand.pdb -o run.h5\n"
                     "  tessera run --mixed orbital c60.molden --orbitals all -o c60.h5\n"
                     "Asks every build of the installation, and those of TESSERA_BUILDS, for its "
                     "plan. tessera plan shows them all.");
    command_->add_flag("--mixed", mixed_,
                       "GPUs and processors may share the work; which of them computes a tile "
                       "decides its last bits");
    command_
        ->add_option("command", words_,
                     "dock, screen, orbital, likelihood, fit or sample, and its words")
        ->required();
}

void RunCommand::run() const {
    require_command(words_);
    if (std::ranges::any_of(words_, [](const auto& word) { return word == "--help"; }))
        become({"/proc/self/exe", words_.front(), "--help"});
    const auto candidates = choice::compare_builds(words_, mixed_);
    const auto chosen = choice::choose(candidates);
    if (!chosen) {
        print_text(stderr, choice::table_text(candidates));
        throw Error("no build can do this on this machine", "the table says why",
                    "see tessera plan " + words_.front(), ExitCode::resources);
    }
    const choice::Candidate& one = candidates[*chosen];
    print_line(stderr, "tessera run: " + choice::command_text(one) + "  (" +
                           plan::duration_text(one.plan->total_seconds()) + " predicted)");
    if (one.plan->ranks.size() > 1) allow_any_ranks();
    become(one.command);
}

}  // namespace tessera::app
