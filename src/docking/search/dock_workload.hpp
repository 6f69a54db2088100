// Docking as tiles. A tile is a range of base rotations, and its partial holds the best poses found
// there.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/tile.hpp"
#include "docking/model/energy.hpp"
#include "docking/search/restraint_filter.hpp"
#include "docking/search/rotation_set.hpp"
#include "kokkos_kernels/docking/correlation_search.hpp"

namespace tessera::docking {

/// The number of base rotations in a tile. With orbits it is one batch. Without orbits a base is a
/// single rotation, and a tile holds as many rotations as with orbits.
inline std::int64_t bases_per_tile(const RotationSet& rotations) {
    return std::int64_t{kernels::bases_per_batch} * 24 /
           static_cast<std::int64_t>(rotations.group.size());
}

/// The tiles of a docking with these rotations.
inline std::vector<Tile> tiles_of(const RotationSet& rotations) {
    return cut_into_tiles(static_cast<std::int64_t>(rotations.bases.size()),
                          bases_per_tile(rotations));
}

class DockWorkload {
  public:
    using Payload = kernels::PoseRecord;

    /// Poses that do not pass the filter are not in the partials.
    DockWorkload(kernels::CorrelationSearch& search, const RotationSet& rotations,
                 const RestraintFilter& filter)
        : search_(search), rotations_(rotations), filter_(filter) {}

    TilePartial<Payload> run(const Tile& tile) {
        const std::span<const Quaternion> bases(rotations_.bases);
        TilePartial<Payload> partial{
            tile.id, search_.run(bases.subspan(tile.begin, tile.size()), tile.begin)};
        filter_.keep_satisfying(partial.records);
        return partial;
    }

  private:
    kernels::CorrelationSearch& search_;
    const RotationSet& rotations_;
    RestraintFilter filter_;
};

}  // namespace tessera::docking
