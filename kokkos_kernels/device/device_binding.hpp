// Which device and how many cores a rank of a node takes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::kernels {

/// A rank's place on its node: its device and how many ranks share it.
struct DeviceBinding {
    int device = -1;  ///< index on the node; -1: the node has none
    int sharers = 1;  ///< ranks of the node on this device, this one included
};

/// Ranks of a node go round the devices; with one rank a device each has its own.
constexpr DeviceBinding bind_device(int node_rank, int ranks_on_node, int devices) {
    if (devices <= 0) return {-1, 1};
    const int device = node_rank % devices;
    return {device, ranks_on_node / devices + (device < ranks_on_node % devices ? 1 : 0)};
}

/// How many ranks of a node share the device that one of them names `mine`: by what it is, for a launcher may
/// show every rank another device as its only one. `all`: the names that the node's ranks give theirs.
template <class Name>
int sharers_of(const Name& mine, const std::vector<Name>& all) {
    return std::max(1, static_cast<int>(std::count(all.begin(), all.end(), mine)));
}

/// A rank's share of its node's cores, at least one; the first ranks take what does not divide.
constexpr int cores_of_rank(int node_rank, int ranks_on_node, int cores) {
    return std::max(1, cores / ranks_on_node + (node_rank < cores % ranks_on_node ? 1 : 0));
}

/// Names the GPU that the next DeviceRuntime takes for rank `node_rank` of a node, or the part of one (MIG):
/// ranks that take the same give it the same name. Empty where there is none. Kokkos is not started.
std::string gpu_name(int node_rank);

/// That so many ranks take the same GPU as this one, for the next DeviceRuntime to take its share of the memory
/// only. Untold it counts by the ranks' numbers.
void set_gpu_sharers(int ranks);

}  // namespace tessera::kernels
