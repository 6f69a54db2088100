// The journal of an orbital run: a tile counts as finished when its grids are in their file.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "io/grid_file.hpp"
#include "orbitals/orbital_surface.hpp"
#include "orbitals/orbital_workload.hpp"
#include "tile_journal.hpp"

namespace tessera::orbitals {

/// Puts a tile into `disk` in the writer's thread, behind the tile's grids. What has no place of its own
/// in the result file before the end (surfaces, compressed chunks) goes along as the attachment.
class OrbitalJournal {
  public:
    OrbitalJournal(DiskJournal<OrbitalSum>& disk, io::GridWriter& writer)
        : disk_(disk), writer_(writer) {}

    bool contains(TileId id) const { return disk_.contains(id); }
    std::vector<TilePartial<OrbitalSum>> restored() { return disk_.restored(); }

    /// Throws what the writer's thread has met.
    void append(const TilePartial<OrbitalSum>& partial) {
        writer_.then([this, partial, surface = std::exchange(surface_, {})](const auto& packed) {
            disk_.append(partial, surface.empty() ? packed : surface);
        });
    }

    /// Keeps a surface for the tile that is appended next.
    SurfaceSink surface_sink() {
        return [this](std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view) {
            surface_ = pack_surface(frame, item, view);
        };
    }

  private:
    DiskJournal<OrbitalSum>& disk_;
    io::GridWriter& writer_;
    std::vector<std::byte> surface_;
};

}  // namespace tessera::orbitals
