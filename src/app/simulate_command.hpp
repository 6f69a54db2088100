// tessera simulate PARAMETERS --number N -o stars.txt
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "app/likelihood_choices.hpp"

namespace tessera::app {

class SimulateCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// On one rank. Returns the exit code.
    int run() const;

  private:
    std::vector<std::int64_t> draw(const io::StreamModel& model) const;

    CLI::App* command_ = nullptr;
    std::string parameters_, output_;
    ModelOptions model_;
    std::int64_t number_ = 100000;
    std::uint64_t seed_ = 1;
    bool force_ = false, quiet_ = false;
};

}  // namespace tessera::app
