// Which device and how many cores a rank of a node takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::kernels {

/// A rank's place on its node: its device and how many ranks share it.
struct DeviceBinding {
    int device = -1;  ///< index on the node; -1: the node has none
    int sharers = 1;  ///< ranks of the node on this device, this one included
};

/// Distributes the ranks of a node over its devices in turn. With one rank per device, each has its
/// own.
constexpr DeviceBinding bind_device(int node_rank, int ranks_on_node, int devices) {
    if (devices <= 0) return {-1, 1};
    const int device = node_rank % devices;
    return {device, ranks_on_node / devices + (device < ranks_on_node % devices ? 1 : 0)};
}

/// How many ranks of a node share the device that one of them names `mine`. Numbers would not do,
/// because a launcher may show each rank a different device as its only one. `all` holds the names
/// from all ranks of the node.
template <class Name>
int sharers_of(const Name& mine, const std::vector<Name>& all) {
    return std::max(1, static_cast<int>(std::count(all.begin(), all.end(), mine)));
}

/// A rank's share of its node's cores, at least one. The first ranks take the remainder.
constexpr int cores_of_rank(int node_rank, int ranks_on_node, int cores) {
    return std::max(1, cores / ranks_on_node + (node_rank < cores % ranks_on_node ? 1 : 0));
}

/// The cores that a process may run on: bit i of word i / 64 is core i.
using CoreSet = std::array<std::uint64_t, 16>;

/// The cores that this process may run on. They are fewer than those of the node if mpirun or srun
/// has bound the process, or if the job has a part of the node. Empty if the system does not say.
CoreSet allowed_cores();

/// How many cores rank `node_rank` of a node takes for itself. `all` holds the sets of all ranks of
/// the node. Ranks with the same set share it, and all together share the cores that any may use.
int core_share(int node_rank, const std::vector<CoreSet>& all);

/// The reason why rank `node_rank` of its node cannot use its device, or nothing if it can.
/// `devices` is the value of --device. In builds without CUDA, there is never a reason. The next
/// DeviceRuntime takes this device, whatever it is asked for. Kokkos is not started.
std::optional<std::string> device_problem(const std::string& devices, int node_rank);

/// Names the GPU that the next DeviceRuntime takes for rank `node_rank` of a node, or the part of a
/// GPU (MIG). Ranks that take the same GPU give it the same name. It is empty if the rank computes
/// on no GPU. Kokkos is not started.
std::string gpu_name(const std::string& devices, int node_rank);

/// Says that `ranks` ranks take the same GPU as this one, and that each may plan with `fraction` of
/// its memory. The next DeviceRuntime takes only this share. Without this call, the share follows
/// from the ranks' numbers.
void set_gpu_share(int ranks, double fraction);

}  // namespace tessera::kernels
