// The datasets of grids that a run writes (declared in result.hpp).
#include <utility>

#include "orbitals/result/result.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::orbitals {

GridOutput grids_of(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    GridOutput output;
    if (!input.grids) return output;
    const auto frames = static_cast<std::int64_t>(prepared.frames.size());
    const auto items = static_cast<std::int64_t>(prepared.selection.size());
    const auto& points = prepared.grid.shape;
    const auto add = [&](const std::string& name, std::vector<std::int64_t> leading,
                         std::int64_t planes, const std::string& units) {
        io::GridSpec spec{name, std::move(leading), points};
        spec.chunk_planes = planes;
        spec.double_precision = input.double_precision;
        spec.deflate = input.deflate;
        spec.largest_error = input.compress_error;
        spec.zfp = input.zfp;
        spec.units = units;
        // A compressed chunk is read as a whole. A tile therefore has several small chunks. zfp
        // packs cubes of four points.
        constexpr std::size_t most_bytes = std::size_t{1} << 22;
        while (spec.deflate > 0 && spec.chunk_planes % (spec.zfp ? 8 : 2) == 0 &&
               static_cast<std::size_t>(spec.chunk_planes) * spec.plane_bytes() > most_bytes)
            spec.chunk_planes /= 2;
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
