// How long a docking takes, and whether a device can do it.
#pragma once

#include <cstdint>

#include "docking/screen/screen_request.hpp"
#include "docking/setup/dock_input.hpp"
#include "docking/setup/prepare.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"
#include "plan/plan_request.hpp"

namespace tessera::plan {

/// The quantities that decide the time of a search.
struct DockingSize {
    int n = 0;  ///< grid points along an axis
    int channels = 0, sets = 0;
    int members = 24;  ///< orbit members for each base rotation
    double rotations = 0;
    double atoms = 0;  ///< atoms of the ligand
};

/// Seconds for one rotation on a GPU of the table: a fit to the times of an H200
/// (docs/method/benchmarks.md), scaled by bandwidth and FP32 rate. The time includes receptor
/// spectra that do not fit in memory and are recomputed.
double table_rotation_seconds(const DeviceDescription& gpu, const DockingSize& size,
                              const kernels::SearchMemory& memory);

/// Seconds for one pose of the second stage on a GPU of the table, scaled in the same way.
double table_refine_seconds(const DeviceDescription& gpu, const DockingSize& size);

/// Seconds for the receptor grids, their transforms and their rotated copies.
double table_start_seconds(const DeviceDescription& gpu, const DockingSize& size,
                           const kernels::SearchMemory& memory);

/// Times of a piece of the search on the device of this rank.
struct SearchSample {
    double rotation_seconds = 0;
    double start_seconds = 0;                ///< until the search can begin
    double terms_seconds = 0;                ///< for the direct sums of one pose
    std::vector<kernels::PoseRecord> poses;  ///< found poses of the rotations bases[b] * group[m]
    std::vector<SignedPermutation> group;
};

/// Computes one tile of the search on a GPU, or one orbit member of 8 base rotations on a host.
SearchSample sample_search(const DeviceDescription& device,
                           const kernels::CorrelationProblem& problem, std::int64_t budget,
                           std::span<const Quaternion> bases);

/// Seconds for one pose of the second stage on the device of this rank. Refines a tile of `poses`
/// on a GPU, or some for each thread on a host. Poses are repeated if there are too few.
double sample_refinement(const DeviceDescription& device, const kernels::RefineProblem& problem,
                         const std::vector<kernels::RigidPose>& poses);

/// Approximate number of poses that the second stage refines. Several sets list some of the poses
/// more than once. 0: there is no second stage.
double refined_poses(const docking::DockInput& input, double rotations);

/// Poses of the sample, on which the steps after the search are timed. Without a sample they are
/// one pose, repeated.
std::vector<kernels::RigidPose> poses_to_try(const docking::PreparedDocking& prepared,
                                             const SearchSample& sample,
                                             std::vector<Quaternion> bases);

/// The steps of rank 0 after the search: gather, rank, refine (without the refinement itself),
/// cluster and evaluate, write.
std::vector<PhaseEstimate> plan_after_search(const docking::DockInput& input,
                                             const docking::PreparedDocking& prepared,
                                             const SearchSample& sample,
                                             const std::vector<kernels::RigidPose>& tried,
                                             Basis basis);

/// The docking of rings in pairs, for Dn.
struct AssemblyEstimate {
    double find_seconds = 0;    ///< of rank 0, to find the two-fold axes of all rings
    double assemblies = 0;      ///< that are refined
    double refine_seconds = 0;  ///< for one of them, on one rank
};

/// Docks the copies of some rings of the sample. `rings`: those that are refined, of which few are
/// duplicates if they are not many more than --rings.
AssemblyEstimate plan_assemblies(const docking::DockInput& input,
                                 const docking::PreparedDocking& prepared, const RankPlan& rank,
                                 double rings, const std::vector<kernels::RigidPose>& tried);

/// The plan of one docking without the start of the program. The plans of other pairs are scaled
/// from it.
struct DockingPlan {
    LocalPlan plan;
    DockingSize size;
    double load_seconds = 0;  ///< rank.start_seconds without the start of the device
    double dockings = 1;      ///< pairs of conformers
};
/// `alone`: the run has no other docking. It fails if this one has no pose.
DockingPlan plan_one_docking(const docking::DockInput& input, docking::RotationSet rotations,
                             const PlanRequest& request, SharedDevice& shared, bool alone = false);

/// Prepares the input as the command does, and samples the search if this machine has the device.
LocalPlan plan_docking(const docking::DockInput& input, const PlanRequest& request);

/// Plans the pairs of a table (docs/guide/pairs.md), with all other options from `common`. A pair
/// of median size is planned as above. The others are scaled from it by the sizes of their grids.
LocalPlan plan_docking_pairs(const docking::DockInput& common, const std::string& table,
                             const PlanRequest& request);

/// Plans all pairs of two lists of proteins (docs/guide/screening.md), or a part of them, in the
/// same way.
LocalPlan plan_screening(const docking::DockInput& common, const docking::ScreenRequest& screening,
                         const PlanRequest& request);

}  // namespace tessera::plan
