// Docking as tiles: a tile is a range of base rotations, its partial the best poses found there.
#pragma once

#include <memory>
#include <vector>

#include "core/tile.hpp"
#include "docking/energy.hpp"
#include "docking/rotation_set.hpp"
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

/// The best `keep` poses of every set out of all partials, with unweighted terms by direct sums and
/// the score made of them, ascending by (score, rotation, voxel).
std::vector<PoseList> rank_poses(const std::vector<TilePartial<kernels::PoseRecord>>& partials,
                                 const std::vector<CoefficientSet>& sets, std::int64_t keep,
                                 const RotationSet& rotations, const DockingFrame& frame,
                                 kernels::CorrelationSearch& search);

}  // namespace tessera::docking
