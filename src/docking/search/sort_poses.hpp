// The best poses of all tiles, and their order.
#pragma once

#include <span>
#include <vector>

#include "core/tile.hpp"
#include "docking/model/frame.hpp"
#include "docking/model/pose.hpp"
#include "docking/search/rotation_set.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"

namespace tessera::docking {

/// Collects the best `keep` records of every set by the score of the search. Partials may come in
/// any order.
class BestRecords {
  public:
    BestRecords(std::size_t sets, std::int64_t keep)
        : keep_(static_cast<std::size_t>(keep)), records_(sets) {}

    void add(std::span<const kernels::PoseRecord> records);

    /// The best records of each set, ascending by (score, rotation, voxel).
    const std::vector<std::vector<kernels::PoseRecord>>& finish();

  private:
    std::size_t keep_;
    std::vector<std::vector<kernels::PoseRecord>> records_;
};

/// Computes the unweighted terms of all records by direct sums and the scores from the terms.
/// Returns the poses of each set, ascending by (score, rotation, voxel).
std::vector<PoseList> sort_records(const std::vector<std::vector<kernels::PoseRecord>>& best,
                                   const std::vector<CoefficientSet>& sets,
                                   const RotationSet& rotations, const DockingFrame& frame,
                                   kernels::TermSums& sums);

/// Does the same for the best `keep` poses of every set in all partials.
std::vector<PoseList> sort_poses(const std::vector<TilePartial<kernels::PoseRecord>>& partials,
                                 const std::vector<CoefficientSet>& sets, std::int64_t keep,
                                 const RotationSet& rotations, const DockingFrame& frame,
                                 kernels::TermSums& sums);

}  // namespace tessera::docking
