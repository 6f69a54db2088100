// tessera orbital FILES -o OUT.h5
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <utility>

#include "app/rerun_command.hpp"
#include "core/stop_flag.hpp"
#include "kokkos_kernels/device/device_choice.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"
#include "orbitals/selection/input.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::app {

/// How an orbital run is carried out. These options do not change its result.
struct OrbitalRunOptions {
    std::string output;
    kernels::DeviceChoice device;
    bool force = false;
    bool quiet = false;
    int report = 10;  ///< rows of the closing table
    mpi::NodeTileOptions schedule;
};

class OrbitalCommand {
  public:
    void declare(CLI::App& app);
    bool chosen() const { return command_->parsed(); }
    /// Whether the command only prints the orbitals of its files, which needs no ranks.
    bool lists() const { return chosen() && list_; }
    /// Prints the orbitals of the files. Nothing is computed. Returns the exit code.
    int print_list() const;
    /// The run must have this input.
    void expect(ExpectedInput input) { expected_ = std::move(input); }
    /// Called by all ranks. Returns the exit code.
    int run(const mpi::Communicator& world, const std::string& command_line, const StopFlag& stop);
    /// The validated input, for plans.
    const orbitals::OrbitalInput& finished_input() {
        finish_input();
        return input_;
    }
    const OrbitalRunOptions& options() const { return options_; }

  private:
    void declare_grid_options();
    void declare_quantity_options();
    void declare_potential_options();
    void declare_combination_options();
    /// Replaces --esp and --esp-surface by what they stand for.
    void take_expressions_of_fields();
    void expand_potential_options();
    /// Turns the options into the validated input.
    void finish_input();
    /// Throws Error if the output would replace an input file.
    void keep_inputs() const;
    /// Makes the folder of --cube. Throws Error if one of its files may not be written.
    void check_cubes(const orbitals::PreparedOrbitals& prepared) const;
    /// Throws Error if a picture of --render may not be written.
    void check_pictures(const orbitals::PreparedOrbitals& prepared) const;
    /// Writes the files of --cube and --render. An error names the command that writes them later.
    void write_exports() const;
    void export_result() const;

    CLI::App* command_ = nullptr;
    ExpectedInput expected_;
    orbitals::OrbitalInput input_;
    OrbitalRunOptions options_;
    // As given on the command line: lengths may carry a unit.
    std::string spacing_ = "0.075", padding_ = "3", origin_, grid_, window_, precision_ = "single";
    std::string cube_;        ///< folder for cube files
    std::string render_;      ///< file for a picture
    double esp_surface_ = 0;  ///< density of the surface, bohr^-3; 0: none
    bool esp_ = false, norms_only_ = false, grids_too_ = false, list_ = false, json_ = false;
};

}  // namespace tessera::app
