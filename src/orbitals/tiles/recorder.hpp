// Writes the tiles of an orbital run into the journal, after their grids are in their file.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/tile_journal.hpp"
#include "io/hdf5/grid_file.hpp"
#include "orbitals/tiles/surface.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::orbitals {

/// Lets run_tiles write into the journal `disk`. The writer's thread writes the tile after the
/// tile's grids. Surfaces, compressed chunks and sums of densities have no place in the result file
/// before the end of the run. They go into the journal as the attachment of the tile.
class OrbitalRecorder {
  public:
    /// `on_disk`: everything that is written must be on the disk when the journal closes.
    OrbitalRecorder(DiskJournal<OrbitalSum>& disk, io::GridWriter& writer, bool on_disk)
        : disk_(disk), writer_(writer), on_disk_(on_disk) {}

    bool contains(TileId id) const { return disk_.contains(id); }
    std::vector<TilePartial<OrbitalSum>> restored() { return disk_.restored(); }

    std::int64_t tiles_resumed() const { return disk_.tiles_resumed(); }
    /// Waits until all tiles of this rank are written, and on the disk if `to_disk`.
    void close(bool to_disk) {
        writer_.finish();
        disk_.close(to_disk || on_disk_);
    }

    /// Throws the errors of the writer's thread.
    void append(const TilePartial<OrbitalSum>& partial) {
        writer_.then([this, partial, surface = std::exchange(surface_, {}),
                      sums = std::exchange(sums_, {}),
                      values = std::exchange(values_, {})](const std::vector<std::byte>& packed) {
            io::Record attachment = packed;
            if (!surface.empty()) attachment = surface;
            if (sums.points > 0) attachment = sums.bytes();
            if (!values.empty()) attachment = std::as_bytes(std::span(values));
            disk_.append(partial, attachment);
        });
    }

    /// Keeps a surface for the tile that is appended next.
    SurfaceSink surface_sink() {
        return [this](std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view,
                      std::span<const double> scalars) {
            surface_ = pack_surface(frame, item, view, scalars);
        };
    }
    /// Keeps sums of densities for the tile that is appended next, and for density_sums().
    DensitySink density_sink() {
        return [this](TileId tile, const PointSums& sums) {
            sums_ = sums;
            density_sums_.insert_or_assign(tile, sums);
        };
    }
    /// Keeps the potential at points for the tile that is appended next.
    PointSink point_sink() {
        return [this](TileId, std::span<const double> values) {
            values_.assign(values.begin(), values.end());
        };
    }
    /// The sums of all tiles that this rank has computed.
    std::map<TileId, PointSums>& density_sums() { return density_sums_; }

  private:
    DiskJournal<OrbitalSum>& disk_;
    io::GridWriter& writer_;
    bool on_disk_;
    std::vector<std::byte> surface_;
    PointSums sums_;
    std::vector<double> values_;
    std::map<TileId, PointSums> density_sums_;
};

}  // namespace tessera::orbitals
