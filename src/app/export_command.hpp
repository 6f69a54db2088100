// tessera export OUT.h5 --poses 10 DIR | --zdock FILE
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "app/orbital_export.hpp"

namespace tessera::app {

/// Writes files for other programs from a result.
class ExportCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run() const;

  private:
    CLI::App* command_ = nullptr;
    std::string path_;
    int poses_ = 0;
    std::string folder_;
    std::string zdock_;
    std::string set_;
    bool force_ = false;
    OrbitalExport orbitals_;
};

}  // namespace tessera::app
