// The description of a device that plans use: what it is and how fast it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kokkos_kernels/device/device.hpp"

namespace tessera::plan {

/// Where a figure comes from.
enum class Basis {
    table,     ///< a data sheet, or times of another device that were scaled
    sampled,   ///< a short piece of the same work, computed on this device
    measured,  ///< the same work, done while planning
};
std::string name_of(Basis basis);  ///< "table", "sampled", "measured"

/// A whole GPU, or the threads of a rank on a host. In the rates, a fused multiply-add counts as
/// two operations.
struct DeviceDescription {
    kernels::Backend backend = kernels::Backend::openmp;
    std::string name;
    int threads = 1;
    std::int64_t memory_bytes = 0, free_bytes = 0;
    double fp32_flops = 0, fp64_flops = 0;
    double bandwidth = 0;  ///< bytes/s
    Basis rates = Basis::table;
};

/// Finds a GPU in the table by a part of its name, "H200" or "NVIDIA A100-SXM4-80GB". Returns
/// nullopt if the table does not have it. Vector peaks and memory are from data sheets, of the SXM
/// board if there are several. 3 % of the memory is assumed to be in use.
std::optional<DeviceDescription> known_gpu(std::string_view name);

/// The names of the table, "H200, H100, ...".
std::string known_gpu_names();

/// As known_gpu(), but throws Error with the names of the table if it does not have the GPU.
DeviceDescription require_known_gpu(std::string_view name);

/// Describes the device of a running DeviceRuntime. The table gives the rates of GPUs that it has.
/// The rates of hosts and other GPUs are measured (0.2 s).
DeviceDescription describe(const kernels::DeviceInfo& device);

}  // namespace tessera::plan
