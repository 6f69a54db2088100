// tessera merge PART... -o FOLDER
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tessera::app {

/// Joins the parts of a screening (tessera screen --part).
class MergeCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run() const;

  private:
    CLI::App* command_ = nullptr;
    std::vector<std::string> parts_;
    std::string output_;
};

}  // namespace tessera::app
