// How long orbitals on a grid take, and whether disk and device can hold them.
#pragma once

#include <cstdint>

#include "kokkos_kernels/orbitals/screened_work.hpp"
#include "orbitals/result/result.hpp"
#include "plan/plan_request.hpp"

namespace tessera::plan {

/// Bytes of all uncompressed grids of a run.
double grid_bytes(const orbitals::GridOutput& grids);

/// Throws Error where the grids, but for what an unfinished run has left of them, do not fit what is free
/// on the disk of `output`'s folder. To be asked before anything is allocated.
void require_disk(const std::string& output, const orbitals::GridOutput& grids);

/// Bytes written to files that this machine keeps before it begins to bring them to the disk (Linux:
/// vm.dirty_background_bytes, or _ratio of what memory is available); infinite where it does not say.
double bytes_kept_in_memory();

/// Device memory that a run takes at most: basis and coefficients, lists of a pass, a tile's values.
std::int64_t device_bytes(const orbitals::OrbitalInput& input,
                          const orbitals::PreparedOrbitals& prepared);

/// Seconds of the kernels for `work` on a GPU of the table, lists included: fitted to an H200
/// (docs/method/benchmarks.md), scaled by arithmetic rate and bandwidth. `orbitals` are done at once.
double table_kernel_seconds(const DeviceDescription& gpu, const kernels::ScreenedWork& work,
                            double orbitals, bool in_double);

LocalPlan plan_orbitals(const orbitals::OrbitalInput& input, const PlanRequest& request);

}  // namespace tessera::plan
