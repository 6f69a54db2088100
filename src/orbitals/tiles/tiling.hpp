// Cuts an orbital run into tiles. The cut depends on the input alone, so it is the same for every
// rank, schedule and device.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::orbitals {

enum class TileKind : std::int32_t {
    orbitals,
    density,
    spin_density,
    surface,
    overlaps,
    mean_density,
    density_surface,
    spin_density_surface,
    fields,
    potential,         ///< on the grid
    potential_points,  ///< at points that form no grid
    combination,       ///< of densities or orbitals
    combination_surface
};

inline bool is_surface(TileKind kind) {
    return kind == TileKind::surface || kind == TileKind::density_surface ||
           kind == TileKind::spin_density_surface || kind == TileKind::combination_surface;
}

/// The work of a tile: a frame, a batch of orbitals (items of the selection) and a slab of planes
/// of constant z.
struct OrbitalWork {
    TileKind kind = TileKind::orbitals;
    std::int32_t frame = 0;
    /// The first item of the batch, or the index of the combination. Unused for densities.
    std::int32_t first = 0;
    /// For a mean density: the number of frames, beginning with `frame`. For fields: their number.
    std::int32_t count = 0;
    // Of potential_points, these are points.
    std::int64_t first_plane = 0;
    std::int64_t planes = 0;
    // For overlaps the batch above gives the rows, and this batch the columns. Both may be the
    // same.
    std::int32_t other_first = 0;
    std::int32_t other_count = 0;
};

/// The number of orbitals of a batch and of planes of a slab.
struct TileShape {
    std::int64_t batch = 1;
    std::int64_t planes = 1;
};

/// Chooses batches of up to 96 orbitals, so that basis functions are evaluated once for many
/// orbitals. Slabs have about 16 Mi values, in steps of 16 planes (the depth of a kernel's tile). A
/// tile has at most 64 Mi values if they are stored, because of the buffers. If only norms are
/// computed, it has at most 1 Gi values, because of the time that a tile takes.
TileShape choose_tile_shape(std::int64_t orbitals, const std::array<std::int64_t, 3>& points,
                            bool stored);

/// How the mean density of a trajectory is cut: every slab of planes into blocks of frames. The
/// sums of all blocks and slabs have at most 4 GiB, or one block. A block has at least two frames
/// where there are as many, because to keep its sums costs as much as a frame.
struct MeanShape {
    std::int64_t planes = 1;  ///< of a slab, at most 4 Mi points
    std::int64_t blocks = 1;  ///< of a slab, at most 64
};
MeanShape choose_mean_shape(std::int64_t frames, const std::array<std::int64_t, 3>& points);

/// The planes of a slab of an isosurface. The slab stays on the device and has at most 256 Mi
/// points.
std::int64_t choose_surface_planes(const std::array<std::int64_t, 3>& points);

/// The planes of a slab of the potential, about 64 Ki points. A point costs far more than one of an
/// orbital.
std::int64_t choose_potential_planes(const std::array<std::int64_t, 3>& points);

/// The points of a tile of the potential where they form no grid.
inline constexpr std::int64_t potential_tile_points = 8192;

struct TilingRequest {
    std::int32_t frames = 1;
    std::int32_t orbitals = 0;  ///< number of items of the selection
    bool stored = true;         ///< grids are written
    bool density = false, spin_density = false, surfaces = false;
    std::array<std::int64_t, 3> points{0, 0, 0};
    bool overlaps = false, mean_density = false;
    bool density_surfaces = false;  ///< of the densities that are asked for
    std::int32_t fields = 0;        ///< derived fields of the density
    bool potential = false;         ///< on the grid
    std::int64_t potential_points = 0;
    std::int32_t combinations = 0;
    std::vector<std::int32_t> combination_surfaces = {};  ///< combinations that have surfaces
};

/// The work of all tiles, frame after frame, and then that of the mean density, slab after slab.
/// The index in the list is the id of the tile.
std::vector<OrbitalWork> cut_tiles(const TilingRequest& request);

}  // namespace tessera::orbitals
