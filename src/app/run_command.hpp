// tessera run COMMAND
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tessera::app {

/// Puts "--" before the command of `tessera run`, so that its options are its own.
std::vector<std::string> with_command_marked(std::vector<std::string> words);

/// Runs a command by the build and on the devices that are predicted to be the fastest.
class RunCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// Replaces this process by the run. Returns only by an Error.
    [[noreturn]] void run() const;

  private:
    CLI::App* command_ = nullptr;
    std::vector<std::string> words_;
    bool mixed_ = false;
};

}  // namespace tessera::app
