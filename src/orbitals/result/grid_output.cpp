// The datasets of grids that a run writes (declared in result.hpp).
#include <algorithm>
#include <utility>

#include "orbitals/result/result.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::orbitals {

namespace {

/// The planes of a chunk. A tile begins and ends with a chunk. A compressed chunk is read as a
/// whole, and threads pack one each. So it has about half a MiB, and HDF5 keeps it in memory
/// by default. zfp packs cubes of four points.
std::int64_t planes_of_chunk(const io::GridSpec& spec, std::int64_t tile_planes) {
    if (spec.deflate == 0) return tile_planes;
    constexpr std::int64_t wanted_bytes = std::int64_t{1} << 19;
    const std::int64_t step = spec.zfp ? 4 : 1;
    const std::int64_t wanted =
        std::max<std::int64_t>(wanted_bytes / static_cast<std::int64_t>(spec.plane_bytes()), step);
    const bool one_tile = tile_planes >= spec.shape[2];
    for (std::int64_t planes = wanted / step * step; planes > 0; planes -= step)
        if (one_tile || tile_planes % planes == 0) return std::min(planes, spec.shape[2]);
    std::int64_t planes = std::min(wanted, tile_planes);
    while (tile_planes % planes != 0) --planes;
    return planes;
}

io::GridSpec grid_spec(const OrbitalInput& input, const std::array<std::int64_t, 3>& points,
                       const std::string& name, const std::string& units) {
    io::GridSpec spec;
    spec.name = name;
    spec.shape = points;
    spec.double_precision = input.double_precision;
    spec.deflate = input.deflate;
    spec.largest_error = input.compress_error;
    spec.zfp = input.zfp;
    spec.units = units;
    return spec;
}

}  // namespace

io::GridSpec mean_density_spec(const OrbitalInput& input,
                               const std::array<std::int64_t, 3>& points) {
    io::GridSpec spec = grid_spec(input, points, std::string("/") + mean_density_values, "bohr^-3");
    spec.chunk_planes = planes_of_chunk(spec, points[2]);
    return spec;
}

GridOutput grids_of(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    GridOutput output;
    if (!input.grids) return output;
    const auto frames = static_cast<std::int64_t>(prepared.frames.size());
    const auto items = static_cast<std::int64_t>(prepared.selection.size());
    const auto& points = prepared.grid.shape;
    const auto add = [&](const std::string& name, std::vector<std::int64_t> leading,
                         std::int64_t planes, const std::string& units) {
        io::GridSpec spec = grid_spec(input, points, name, units);
        spec.leading = std::move(leading);
        spec.chunk_planes = planes_of_chunk(spec, planes);
        output.specs.push_back(std::move(spec));
        return static_cast<int>(output.specs.size()) - 1;
    };
    const auto planes_for = [&](std::int64_t grids) {
        return choose_tile_shape(grids, points, true).planes;
    };
    if (items > 0)
        output.targets.orbitals =
            add("/orbitals/values", {frames, items}, planes_for(items), "bohr^-3/2");
    if (input.density)
        output.targets.density = add("/density/values", {frames}, planes_for(1), "bohr^-3");
    if (input.spin_density)
        output.targets.spin_density =
            add("/spin_density/values", {frames}, planes_for(1), "bohr^-3");
    const auto fields = static_cast<std::int64_t>(prepared.density_fields.size());
    if (fields > 0) output.targets.fields = static_cast<int>(output.specs.size());
    for (const DensityField& field : prepared.density_fields)
        add("/fields/" + field.name + "/values", {frames}, planes_for(fields), field.units);
    if (prepared.potential)
        output.targets.potential = add(std::string("/fields/") + potential_name + "/values",
                                       {frames}, choose_potential_planes(points), potential_units);
    if (!prepared.combinations.empty())
        output.targets.combinations = static_cast<int>(output.specs.size());
    for (const Combination& combination : prepared.combinations)
        add("/" + combination_values(combination.name), {frames}, planes_for(1),
            combination.units());
    return output;
}

}  // namespace tessera::orbitals
