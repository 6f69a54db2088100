// How long orbitals on a grid take, and whether disk and device can hold them.
#pragma once

#include <cstdint>

#include "kokkos_kernels/orbitals/screened_work.hpp"
#include "orbitals/result/result.hpp"
#include "plan/plan_request.hpp"

namespace tessera::plan {

/// Bytes of all uncompressed grids of a run.
double grid_bytes(const orbitals::GridOutput& grids);

/// Throws Error if the disk of the folder of `output` has too little free space for the grids.
/// Grids that an unfinished run has already written count as there. Call it before anything is
/// allocated.
void require_disk(const std::string& output, const orbitals::GridOutput& grids);

/// Bytes of written files that this machine keeps in memory before it writes them to the disk.
/// Linux says so by vm.dirty_background_bytes, or by vm.dirty_background_ratio of the available
/// memory. Infinite if the system does not say.
double bytes_kept_in_memory();

/// Largest device memory of a run: basis and coefficients, lists of a pass, values of a tile.
std::int64_t device_bytes(const orbitals::OrbitalInput& input,
                          const orbitals::PreparedOrbitals& prepared);

/// Seconds of the kernels for `work` on a GPU of the table, lists included: a fit to the times of
/// an H200 (docs/method/benchmarks.md), scaled by arithmetic rate and bandwidth. `orbitals` is the
/// number of orbitals that are computed at once.
double table_kernel_seconds(const DeviceDescription& gpu, const kernels::ScreenedWork& work,
                            double orbitals, bool in_double);

LocalPlan plan_orbitals(const orbitals::OrbitalInput& input, const PlanRequest& request);

}  // namespace tessera::plan
