#include "orbitals/tiles/tile_grids.hpp"

#include <algorithm>

namespace tessera::orbitals {

kernels::PointBlock slab(const UniformGrid& grid, std::int64_t first_plane, std::int64_t planes) {
    return {{0, 0, first_plane}, {grid.shape[0], grid.shape[1], planes}};
}

std::size_t value_bytes(const OrbitalInput& input) { return input.double_precision ? 8 : 4; }

std::size_t largest_tile_bytes(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    std::int64_t values = 0;
    for (const OrbitalWork& work : prepared.tiles) {
        if (is_surface(work.kind) || work.kind == TileKind::overlaps ||
            work.kind == TileKind::mean_density || work.kind == TileKind::potential_points)
            continue;
        const bool several = work.kind == TileKind::orbitals || work.kind == TileKind::fields;
        const std::int64_t grids = several ? work.count : 1;
        values = std::max(values, grids * slab(prepared.grid, 0, work.planes).size());
    }
    return static_cast<std::size_t>(values) * value_bytes(input);
}

std::vector<io::GridBlock> grid_blocks_of(const OrbitalWork& work, const PreparedOrbitals& prepared,
                                          GridTargets targets) {
    if (work.kind == TileKind::fields) {
        std::vector<io::GridBlock> blocks;
        for (int field = 0; targets.fields >= 0 && field < work.count; ++field)
            blocks.push_back(
                {targets.fields + field, work.frame, 1, work.first_plane, work.planes});
        return blocks;
    }
    if (work.kind == TileKind::combination && targets.combinations >= 0)
        return {{targets.combinations + work.first, work.frame, 1, work.first_plane, work.planes}};
    const bool of_orbitals = work.kind == TileKind::orbitals;
    const int target = of_orbitals                           ? targets.orbitals
                       : work.kind == TileKind::density      ? targets.density
                       : work.kind == TileKind::spin_density ? targets.spin_density
                       : work.kind == TileKind::potential    ? targets.potential
                                                             : -1;
    if (target < 0) return {};
    const auto items = static_cast<std::int64_t>(prepared.selection.size());
    return {{target, of_orbitals ? work.frame * items + work.first : work.frame,
             of_orbitals ? work.count : 1, work.first_plane, work.planes}};
}

}  // namespace tessera::orbitals
