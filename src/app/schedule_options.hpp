// Options that say how tiles are handed out. No result depends on them.
#pragma once

#include <CLI/CLI.hpp>

#include "core/tile_deadline.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

/// When a tile is late, and when a run is stuck.
void declare_deadline_options(CLI::App& command, TileDeadline& deadline);

/// The same, and options that let one machine play a cluster.
void declare_schedule_options(CLI::App& command, mpi::NodeTileOptions& schedule);

}  // namespace tessera::app
