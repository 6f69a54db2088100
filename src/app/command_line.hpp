// The command line of tessera.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "core/stop_flag.hpp"

namespace CLI {
class App;
}

namespace tessera::app {

struct Parser;

/// The parsed arguments of the program and the command that they choose.
class CommandLine {
  public:
    /// Parses the arguments. What is wrong with them is reported by run() and run_alone().
    CommandLine(int argc, char** argv);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    /// False for --help, --version, a wrong command line, and a command that one process does.
    bool needs_ranks() const;

    /// True for a command that must not start MPI even below a launcher, because it starts other
    /// programs: `tessera queue` in a job of a cluster, or `tessera run`.
    bool shuns_mpi() const;

    /// Does what needs no ranks, in a process without MPI. Returns 0 only for a complete result.
    /// Throws Error for everything that a user can correct. Destroys `stop` at once if there is
    /// nothing to save when a signal arrives.
    int run_alone(std::unique_ptr<StopFlag> stop);

    /// As run_alone(), for every command. Called by all ranks of MPI_COMM_WORLD; rank 0 alone does
    /// what needs no ranks. A command that has something to save keeps `stop`.
    int run(std::unique_ptr<StopFlag> stop);

    /// The program's options and commands.
    const CLI::App& program() const;

  private:
    int run_here();
    /// Replaces `tessera rerun` by the command of its result.
    void take_up(const std::string& program);

    std::string text_;  ///< of --help or --version
    std::exception_ptr problem_;
    std::unique_ptr<Parser> parser_;
    std::vector<std::string> arguments_;
    std::string words_;  ///< the arguments as one types them
};

}  // namespace tessera::app
