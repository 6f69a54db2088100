// tessera report RUN.h5 -o REPORT.html
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace tessera::app {

/// Writes a page about a result that a browser shows without a network.
class ReportCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run() const;

  private:
    CLI::App* command_ = nullptr;
    std::string path_, output_;
    bool force_ = false;
};

}  // namespace tessera::app
