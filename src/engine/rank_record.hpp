// What one rank notes about itself. Without MPI, so that a process alone can use it.
#pragma once

#include "core/run_statistics.hpp"
#include "engine/tile_loop.hpp"
#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device.hpp"

namespace tessera::engine {

/// Where this rank computes. What it has done is still to be filled in.
RankRecord rank_record(const kernels::DeviceInfo& device);

/// The same with what this rank has done.
RankRecord rank_record(const kernels::DeviceInfo& device, const LoopReport& run);

/// Devices of one kind give the same bits: "NVIDIA H200 (cuFFT 12.0.0)", or the CPU's model with
/// its vector units and libraries.
std::string device_kind(const kernels::DeviceInfo& device);

/// Notes a run of one process alone, as note_run() and announce_devices() do for many ranks.
void note_run_alone(const kernels::DeviceInfo& device, const LoopReport& run,
                    std::int64_t tiles_total, io::RunRecord& record);

}  // namespace tessera::engine
