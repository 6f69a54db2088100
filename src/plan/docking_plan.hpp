// How long a docking takes, and whether a device can do it.
#pragma once

#include <cstdint>

#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"
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

/// Seconds a rotation on a GPU of the table: a fit to the times of an H200 (docs/method/benchmarks.md), scaled
/// by bandwidth and FP32 rate. Receptor spectra that do not stay are paid for.
double table_rotation_seconds(const DeviceDescription& gpu, const DockingSize& size,
                              const kernels::SearchMemory& memory);

/// Seconds a pose of the second stage, likewise.
double table_refine_seconds(const DeviceDescription& gpu, const DockingSize& size);

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

/// Seconds a pose of the second stage on the device that is here: on a GPU a tile of `poses`, over and over
/// where there are fewer, on a host some for each thread.
double sample_refinement(const DeviceDescription& device, const kernels::RefineProblem& problem,
                         const std::vector<kernels::RigidPose>& poses);

/// Poses that the second stage refines, about: a third of those that several sets' lists hold are the
/// same. 0: there is no second stage.
double refined_poses(const docking::DockInput& input, double rotations);

/// Poses of the sample, for the steps that follow the search; without a sample one pose many times.
std::vector<kernels::RigidPose> poses_to_try(const docking::PreparedDocking& prepared,
                                             const SearchSample& sample,
                                             std::vector<Quaternion> bases);

/// What rank 0 does with what all have found: gather, rank, refine (but for the refinement itself),
/// cluster and evaluate, write.
std::vector<PhaseEstimate> plan_after_search(const docking::DockInput& input,
                                             const docking::PreparedDocking& prepared,
                                             const SearchSample& sample,
                                             const std::vector<kernels::RigidPose>& tried,
                                             Basis basis);

/// The plan of one docking, without the start of the program, and what others are scaled from.
struct DockingPlan {
    LocalPlan plan;
    DockingSize size;
    double load_seconds = 0;  ///< of rank.start_seconds: all but the device's own start
};
DockingPlan plan_one_docking(const docking::DockInput& input, docking::RotationSet rotations,
                             const PlanRequest& request);

/// Prepares the input as the command does, samples the search where the device is here.
LocalPlan plan_docking(const docking::DockInput& input, const PlanRequest& request);

/// The pairs of a table (docs/guide/pairs.md), everything else as in `common`: one of them, of middling size, is
/// planned as above and the others are scaled from it by the sizes of their grids.
LocalPlan plan_docking_pairs(const docking::DockInput& common, const std::string& table,
                             const PlanRequest& request);

}  // namespace tessera::plan
