// A device as plans see it: what it is and how fast.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kokkos_kernels/device/device.hpp"

namespace tessera::plan {

/// Where figures come from.
enum class Basis {
    table,     ///< of a maker's data sheet, or scaled from times of another device
    sampled,   ///< from a short piece of the very work, on this device
    measured,  ///< the very work, done while planning
};
std::string name_of(Basis basis);  ///< "table", "sampled", "measured"

/// A whole GPU, or the threads of a rank on a host. A fused multiply-add counts as two operations.
struct DeviceDescription {
    kernels::Backend backend = kernels::Backend::openmp;
    std::string name;
    int threads = 1;
    std::int64_t memory_bytes = 0, free_bytes = 0;
    double fp32_flops = 0, fp64_flops = 0;
    double bandwidth = 0;  ///< bytes/s
    Basis rates = Basis::table;
};

/// A GPU by a part of its name, "H200" or "NVIDIA A100-SXM4-80GB"; nullopt for one that the table does
/// not hold. Vector peaks and memory of the makers' data sheets (SXM boards where there are several);
/// of the memory 3 % are taken to be in use.
std::optional<DeviceDescription> known_gpu(std::string_view name);

/// The names of the table, "P100, V100, ...".
std::string known_gpu_names();

/// As known_gpu(). Throws Error that lists the table's names.
DeviceDescription require_known_gpu(std::string_view name);

/// The device of a running DeviceRuntime: GPUs by the table, hosts and other GPUs by measurement (0.2 s).
DeviceDescription describe(const kernels::DeviceInfo& device);

/// Bytes that a rank may take: `asked_gib`, or where that is 0 nine tenths of what is free on a GPU and
/// half on a host (whose page cache and other ranks live there too).
std::int64_t memory_budget(kernels::Backend backend, std::int64_t free_bytes, double asked_gib);

}  // namespace tessera::plan
