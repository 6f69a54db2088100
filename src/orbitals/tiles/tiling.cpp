#include "orbitals/tiles/tiling.hpp"

#include <algorithm>

namespace tessera::orbitals {

namespace {

constexpr std::int64_t largest_batch = 96;
constexpr std::int64_t plane_step = 16;
constexpr std::int64_t wanted_values = std::int64_t{1} << 24;
constexpr std::int64_t most_stored = std::int64_t{1} << 26;
constexpr std::int64_t most_values = std::int64_t{1} << 30;

void add_slabs(std::vector<OrbitalWork>& tiles, OrbitalWork work, std::int64_t all_planes,
               std::int64_t planes) {
    for (std::int64_t begin = 0; begin < all_planes; begin += planes) {
        work.first_plane = begin;
        work.planes = std::min(planes, all_planes - begin);
        tiles.push_back(work);
    }
}

/// Adds a tile for every pair of batches, where the second batch is not before the first. The size
/// limit is that of stored grids, because the values of both batches are in the device's memory.
void add_overlaps(std::vector<OrbitalWork>& tiles, const TilingRequest& request,
                  std::int32_t frame) {
    const TileShape shape = choose_tile_shape(request.orbitals, request.points, true);
    const auto batch = static_cast<std::int32_t>(shape.batch);
    const auto count = [&](std::int32_t first) {
        return std::min(batch, request.orbitals - first);
    };
    for (std::int32_t first = 0; first < request.orbitals; first += batch)
        for (std::int32_t other = first; other < request.orbitals; other += batch)
            add_slabs(tiles,
                      {TileKind::overlaps, frame, first, count(first), 0, 0, other, count(other)},
                      request.points[2], shape.planes);
}

void add_means(std::vector<OrbitalWork>& tiles, const TilingRequest& request) {
    const MeanShape shape = choose_mean_shape(request.frames, request.points);
    for (std::int64_t plane = 0; plane < request.points[2]; plane += shape.planes)
        for (std::int64_t block = 0; block < shape.blocks; ++block) {
            const auto first = static_cast<std::int32_t>(block * request.frames / shape.blocks);
            const auto end = static_cast<std::int32_t>((block + 1) * request.frames / shape.blocks);
            tiles.push_back({TileKind::mean_density, first, 0, end - first, plane,
                             std::min(shape.planes, request.points[2] - plane)});
        }
}

}  // namespace

MeanShape choose_mean_shape(std::int64_t frames, const std::array<std::int64_t, 3>& points) {
    constexpr std::int64_t slab_points = std::int64_t{1} << 22, most_blocks = 64;
    constexpr std::int64_t most_sums = std::int64_t{1} << 28;  // of 16 bytes
    const std::int64_t plane = points[0] * points[1];
    return {std::clamp<std::int64_t>(slab_points / plane, 1, points[2]),
            std::clamp<std::int64_t>(most_sums / (plane * points[2]), 1,
                                     std::min(most_blocks, (frames + 1) / 2))};
}

TileShape choose_tile_shape(std::int64_t orbitals, const std::array<std::int64_t, 3>& points,
                            bool stored) {
    const std::int64_t plane = points[0] * points[1], most = stored ? most_stored : most_values;
    std::int64_t batch = std::clamp<std::int64_t>(orbitals, 1, largest_batch);
    const std::int64_t wanted = wanted_values / (batch * plane);
    std::int64_t planes =
        std::max<std::int64_t>(1, (wanted + plane_step / 2) / plane_step) * plane_step;
    planes = std::min(planes, points[2]);
    if (batch * planes * plane > most) planes = std::min<std::int64_t>(planes, plane_step / 2);
    while (batch > 1 && batch * planes * plane > most) batch = (batch + 1) / 2;
    while (planes > 1 && batch * planes * plane > most) planes /= 2;
    // Makes all batches nearly the same size, instead of a small one at the end.
    if (orbitals > 0) {
        const std::int64_t batches = (orbitals + batch - 1) / batch;
        batch = (orbitals + batches - 1) / batches;
    }
    return {batch, planes};
}

std::int64_t choose_surface_planes(const std::array<std::int64_t, 3>& points) {
    constexpr std::int64_t most = std::int64_t{1} << 28;
    return std::clamp<std::int64_t>(most / (points[0] * points[1]), 2,
                                    std::max<std::int64_t>(2, points[2]));
}

std::int64_t choose_potential_planes(const std::array<std::int64_t, 3>& points) {
    constexpr std::int64_t wanted = std::int64_t{1} << 16;
    return std::clamp<std::int64_t>(wanted / (points[0] * points[1]), 1, points[2]);
}

std::vector<OrbitalWork> cut_tiles(const TilingRequest& request) {
    const TileShape of_orbitals =
        choose_tile_shape(request.orbitals, request.points, request.stored);
    const TileShape of_density = choose_tile_shape(1, request.points, request.stored);
    const std::int64_t all_planes = request.points[2];
    std::vector<OrbitalWork> tiles;
    for (std::int32_t frame = 0; frame < request.frames; ++frame) {
        for (std::int64_t first = 0; first < request.orbitals; first += of_orbitals.batch) {
            const auto count = std::min<std::int64_t>(of_orbitals.batch, request.orbitals - first);
            add_slabs(tiles,
                      {TileKind::orbitals, frame, static_cast<std::int32_t>(first),
                       static_cast<std::int32_t>(count)},
                      all_planes, of_orbitals.planes);
        }
        if (request.overlaps) add_overlaps(tiles, request, frame);
        if (request.density)
            add_slabs(tiles, {TileKind::density, frame}, all_planes, of_density.planes);
        if (request.spin_density)
            add_slabs(tiles, {TileKind::spin_density, frame}, all_planes, of_density.planes);
        if (request.fields > 0)
            add_slabs(tiles, {TileKind::fields, frame, 0, request.fields}, all_planes,
                      choose_tile_shape(request.fields, request.points, true).planes);
        if (request.potential)
            add_slabs(tiles, {TileKind::potential, frame}, all_planes,
                      choose_potential_planes(request.points));
        add_slabs(tiles, {TileKind::potential_points, frame}, request.potential_points,
                  potential_tile_points);
        for (std::int32_t c = 0; c < request.combinations; ++c)
            add_slabs(tiles, {TileKind::combination, frame, c, 1}, all_planes, of_density.planes);
        for (std::int32_t item = 0; request.surfaces && item < request.orbitals; ++item)
            tiles.push_back({TileKind::surface, frame, item, 1, 0, all_planes});
        if (request.density_surfaces && request.density)
            tiles.push_back({TileKind::density_surface, frame, 0, 0, 0, all_planes});
        if (request.density_surfaces && request.spin_density)
            tiles.push_back({TileKind::spin_density_surface, frame, 0, 0, 0, all_planes});
        for (const std::int32_t c : request.combination_surfaces)
            tiles.push_back({TileKind::combination_surface, frame, c, 1, 0, all_planes});
    }
    if (request.mean_density) add_means(tiles, request);
    return tiles;
}

}  // namespace tessera::orbitals
