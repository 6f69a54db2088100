// Which device each rank computes on.
#pragma once

#include <memory>
#include <string>

#include "io/hdf5/run_record.hpp"
#include "kokkos_kernels/device/device_choice.hpp"
#include "mpi/communicator.hpp"

namespace tessera::engine {

/// Collective over the ranks of a machine. This rank's share of the machine: its number and its
/// cores. It also tells the device layer which part of its GPU this rank may take. Ranks may share
/// a machine's GPUs, or each rank may see another GPU as its first (Slurm's --gpus-per-task).
kernels::DeviceRequest device_share(const mpi::Communicator& node,
                                    const kernels::DeviceChoice& choice);

/// Collective. Starts this rank's device, chosen by the rank's number among the ranks of its
/// machine. Throws SharedError where the device cannot be had.
std::unique_ptr<kernels::DeviceRuntime> start_device(const mpi::Communicator& ranks,
                                                     const kernels::DeviceChoice& choice);

/// Collective. The kinds of the ranks' devices on rank 0, each kind once: "NVIDIA H200 (cuFFT
/// 12.0.0) and ...".
std::string kinds_of(const mpi::Communicator& ranks, const kernels::DeviceInfo& device);

/// Collective. Prints what the ranks compute on, and notes it on every rank, since any rank may
/// write a result. Devices of several kinds are allowed, but which of them computes a tile decides
/// its last bits.
void announce_devices(const mpi::Communicator& ranks, const kernels::DeviceInfo& device,
                      bool speaks, io::RunRecord& record);

}  // namespace tessera::engine
