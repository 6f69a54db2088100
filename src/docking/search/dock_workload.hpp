// Docking as tiles. A tile is a range of base rotations, and its partial holds the best poses found
// there.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/tile.hpp"
#include "docking/model/energy.hpp"
#include "docking/search/rotation_set.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"

namespace tessera::docking {

/// The number of base rotations in a tile. With orbits it is one batch. Without orbits a base is a
/// single rotation, and a tile holds as many rotations as with orbits.
inline std::int64_t bases_per_tile(const RotationSet& rotations) {
    return kernels::bases_per_batch * 24 / static_cast<std::int64_t>(rotations.group.size());
}

class DockWorkload {
  public:
    using Payload = kernels::PoseRecord;

    DockWorkload(kernels::CorrelationSearch& search, const RotationSet& rotations)
        : search_(search), rotations_(rotations) {}

    TilePartial<Payload> run(const Tile& tile) {
        const std::span<const Quaternion> bases(rotations_.bases);
        return {tile.id, search_.run(bases.subspan(tile.begin, tile.size()), tile.begin)};
    }

  private:
    kernels::CorrelationSearch& search_;
    const RotationSet& rotations_;
};

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
