// The second stage of a screening: tessera dock --pairs over its best pairs.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "app/dock_command.hpp"
#include "core/stop_flag.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "mpi/communicator.hpp"

namespace tessera::app {

struct RedockRequest {
    std::string table;                  ///< will hold the pairs
    std::string folder;                 ///< for the results
    std::string config;                 ///< a file of options of tessera dock; empty: its defaults
    docking::MembraneOptions membrane;  ///< of the screening
    RunOptions options;                 ///< device, memory, force and quiet hold here, too
};

class Redocking {
  public:
    /// Reads and checks the options, so that a mistake in them is known before the screening.
    /// Throws Error.
    explicit Redocking(const RedockRequest& request);

    const std::string& table() const { return table_; }
    /// Collective. Docks the pairs of the table, which must be there by now, as the command does.
    int run(const mpi::Communicator& world, const std::string& command_line, const StopFlag& stop,
            const kernels::DeviceRuntime& device) {
        return dock_.run_pairs(world, command_line, stop, device);
    }

  private:
    std::string table_;
    CLI::App app_;
    DockCommand dock_;
};

}  // namespace tessera::app
