// How long a docking takes, and whether a device can do it.
#pragma once

#include <cstdint>

#include "docking/dock_input.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "plan/plan_request.hpp"

namespace tessera::plan {

/// What the time of a search depends on.
struct DockingSize {
    int n = 0;  ///< grid points an axis
    int channels = 0, sets = 0;
    int members = 24;  ///< orbit members a base rotation
    double rotations = 0;
    double atoms = 0;  ///< of the ligand
};

/// Seconds a rotation on a GPU of the table: a fit to the times of an H200 (docs/benchmarks.md), scaled
/// by bandwidth and FP32 rate. Receptor spectra that do not stay are paid for.
double table_rotation_seconds(const DeviceDescription& gpu, const DockingSize& size,
                              const kernels::SearchMemory& memory);

/// Of receptor grids, their transforms and their turned copies.
double table_start_seconds(const DeviceDescription& gpu, const DockingSize& size,
                           const kernels::SearchMemory& memory);

/// What a piece of the search took on the device that is here.
struct SearchSample {
    double rotation_seconds = 0;
    double start_seconds = 0;                ///< until the search can begin
    double terms_seconds = 0;                ///< of a pose, by direct sums
    std::vector<kernels::PoseRecord> poses;  ///< found, of rotations bases[b] * group[m]
    std::vector<SignedPermutation> group;
};

/// On a GPU one tile of the very search; on a host one member of the orbit of 8 base rotations. `rates`
/// is the device's.
SearchSample sample_search(const DeviceDescription& device,
                           const kernels::CorrelationProblem& problem, std::int64_t budget,
                           std::span<const Quaternion> bases);

/// Prepares the input as the command does, samples the search where the device is here.
LocalPlan plan_docking(const docking::DockInput& input, const PlanRequest& request);

}  // namespace tessera::plan
