// tessera export OUT.h5 --poses 10 DIR | --clusters 10 DIR | --zdock FILE | …
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "app/cluster_export.hpp"
#include "app/orbital_export.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::app {

/// Writes files for other programs from a result.
class ExportCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    int run() const;

  private:
    void export_docking(const io::h5::Group& root) const;
    void export_screened(const io::h5::Group& root) const;
    void export_config(const io::h5::Group& root) const;
    void export_parameters(const io::h5::Group& root) const;
    void check_capri(const docking::ChosenList& list, const ExportRules& rules) const;
    void write_capri(const docking::ChosenList& list) const;

    CLI::App* command_ = nullptr;
    std::string path_;
    int poses_ = 0;
    std::string folder_;
    std::string zdock_;
    std::string capri_;
    std::string set_, pair_;
    std::string toml_, config_;  ///< parameter file and configuration file to write
    bool force_ = false;
    ClusterExport clusters_;
    OrbitalExport orbitals_;
};

}  // namespace tessera::app
