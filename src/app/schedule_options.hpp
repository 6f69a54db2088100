// The options of every command that computes: the device, and how tiles are handed out. They do not
// change the result, except that devices round differently.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "core/tile_deadline.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

/// Adds --device.
void declare_device_option(CLI::App& command, std::string& device);

/// Adds the options that say when a tile is late and when a run is stuck.
void declare_deadline_options(CLI::App& command, TileDeadline& deadline);

/// Adds the deadline options, and the options that make one machine behave like a cluster in tests.
void declare_schedule_options(CLI::App& command, mpi::NodeTileOptions& schedule);

}  // namespace tessera::app
