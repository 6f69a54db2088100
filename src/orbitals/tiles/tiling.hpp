// How an orbital run is cut: by the input alone, so that every rank, schedule and device cuts alike.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::orbitals {

enum class TileKind : std::int32_t { orbitals, density, spin_density, surface, overlaps };

/// A frame, a batch of orbitals (items of the selection) and a slab of planes of constant z.
struct OrbitalTile {
    TileKind kind = TileKind::orbitals;
    std::int32_t frame = 0;
    std::int32_t first = 0;  ///< item; for density none
    std::int32_t count = 0;
    std::int64_t first_plane = 0;
    std::int64_t planes = 0;
    // Overlaps: of the batch above, the rows, with this one, the columns. Both may be the same.
    std::int32_t other_first = 0;
    std::int32_t other_count = 0;
};

/// Orbitals of a batch and planes of a slab.
struct TileShape {
    std::int64_t batch = 1;
    std::int64_t planes = 1;
};

/// Batches of up to 96 orbitals, so that basis functions are evaluated once for many; slabs of about
/// 16 Mi values, in steps of 16 planes (the depth of a kernel's tile). At most 64 Mi values in a tile where
/// they are stored, for the buffers; 1 Gi where only norms are asked for, for the time that a tile takes.
TileShape choose_tile_shape(std::int64_t orbitals, const std::array<std::int64_t, 3>& points,
                            bool stored);

/// Planes of a slab of an isosurface, which stays on the device: at most 256 Mi points.
std::int64_t choose_surface_planes(const std::array<std::int64_t, 3>& points);

struct TilingRequest {
    std::int32_t frames = 1;
    std::int32_t orbitals = 0;  ///< items of the selection
    bool stored = true;         ///< grids are written
    bool density = false, spin_density = false, surfaces = false;
    std::array<std::int64_t, 3> points{0, 0, 0};
    bool overlaps = false;
};

/// All tiles, frame after frame; a tile's place in the list is its id.
std::vector<OrbitalTile> cut_tiles(const TilingRequest& request);

}  // namespace tessera::orbitals
