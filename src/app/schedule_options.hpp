// The options of every command that computes: the device, and how tiles are handed out. They do not
// change the result, except that devices round differently.
#pragma once

#include <CLI/CLI.hpp>

#include "core/tile_deadline.hpp"
#include "kokkos_kernels/device/device_choice.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

/// Accepts a value of --device.
CLI::Validator device_names();

/// Adds --device and --gpu-fraction.
void declare_device_options(CLI::App& command, kernels::DeviceChoice& device);

/// Adds the options that say when a tile is late and when a run is stuck.
void declare_deadline_options(CLI::App& command, TileDeadline& deadline);

/// Adds the deadline options, and the options that make one machine behave like a cluster in tests.
void declare_schedule_options(CLI::App& command, mpi::NodeTileOptions& schedule);

}  // namespace tessera::app
