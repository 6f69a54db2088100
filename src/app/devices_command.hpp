// tessera devices
#pragma once

#include <CLI/CLI.hpp>

namespace tessera::app {

/// Prints the devices that --device can name, and why a GPU cannot be used. Starts none of them.
class DevicesCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run() const;

  private:
    CLI::App* command_ = nullptr;
    bool json_ = false;
};

}  // namespace tessera::app
