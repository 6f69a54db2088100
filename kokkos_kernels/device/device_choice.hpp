// Which devices --device names, and which of them a rank takes.
#pragma once

#include <string>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/device/gpu_system.hpp"

namespace tessera::kernels {

/// What --device and --gpu-fraction say.
struct DeviceChoice {
    std::string names = "auto";
    double gpu_fraction = 1;  ///< part of a GPU's memory that a rank may plan with
};

/// One name of the list: auto, cuda (all GPUs), cuda:N, openmp or cpu, serial.
struct DeviceName {
    bool automatic = false;
    Backend backend = Backend::openmp;
    int gpu = -1;  ///< -1: all
};

/// Reads names that are separated by commas. Throws Error. `auto` stands alone.
std::vector<DeviceName> read_device_names(const std::string& text);

/// What a rank computes on.
struct DevicePlace {
    Backend backend = Backend::openmp;
    int gpu = -1;  ///< its GPU. In a build with CUDA, a rank on a host starts one, too; else -1

    bool operator==(const DevicePlace&) const = default;
};

/// The devices that the ranks of a node take in turn. Throws Error if the names are wrong, or if
/// one of the devices is missing or cannot be used.
std::vector<DevicePlace> places_named(const std::string& names, const GpuSystem& system);

/// The device of rank `node_rank` of its node. Throws Error as places_named().
DevicePlace choose_place(const std::string& names, int node_rank, const GpuSystem& system);

}  // namespace tessera::kernels
