// tessera info OUT.h5 | OUT.h5.partial
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace tessera::app {

/// Prints what a result holds, or the progress of an unfinished run.
class InfoCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run() const;

  private:
    CLI::App* command_ = nullptr;
    std::string path_;
    bool json_ = false;
};

}  // namespace tessera::app
