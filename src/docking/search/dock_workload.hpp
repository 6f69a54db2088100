// Docking as tiles: a tile is a range of base rotations, its partial the best poses found there.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/tile.hpp"
#include "docking/model/energy.hpp"
#include "docking/search/rotation_set.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"

namespace tessera::docking {

/// Base rotations of a tile: one batch of the orbit route. Without orbits a base is a single rotation
/// and a tile holds as many rotations as an orbit tile.
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

/// The best `keep` records of every set by the search's own score, collected as partials come in, in
/// any order.
class BestRecords {
  public:
    BestRecords(std::size_t sets, std::int64_t keep)
        : keep_(static_cast<std::size_t>(keep)), records_(sets) {}

    void add(std::span<const kernels::PoseRecord> records);

    /// Of each set, ascending by (score, rotation, voxel).
    const std::vector<std::vector<kernels::PoseRecord>>& finish();

  private:
    std::size_t keep_;
    std::vector<std::vector<kernels::PoseRecord>> records_;
};

/// Records of each set with unweighted terms by direct sums and the score made of them, ascending by
/// (score, rotation, voxel).
std::vector<PoseList> sort_records(const std::vector<std::vector<kernels::PoseRecord>>& best,
                                   const std::vector<CoefficientSet>& sets,
                                   const RotationSet& rotations, const DockingFrame& frame,
                                   kernels::TermSums& sums);

/// The same for the best `keep` poses of every set out of all partials.
std::vector<PoseList> sort_poses(const std::vector<TilePartial<kernels::PoseRecord>>& partials,
                                 const std::vector<CoefficientSet>& sets, std::int64_t keep,
                                 const RotationSet& rotations, const DockingFrame& frame,
                                 kernels::TermSums& sums);

}  // namespace tessera::docking
