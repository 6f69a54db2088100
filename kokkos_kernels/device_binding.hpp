// Which device and how many cores a rank of a node takes.
#pragma once

#include <algorithm>

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

/// A rank's share of its node's cores, at least one; the first ranks take what does not divide.
constexpr int cores_of_rank(int node_rank, int ranks_on_node, int cores) {
    return std::max(1, cores / ranks_on_node + (node_rank < cores % ranks_on_node ? 1 : 0));
}

}  // namespace tessera::kernels
