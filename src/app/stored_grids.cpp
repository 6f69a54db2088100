#include "app/stored_grids.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "core/error.hpp"
#include "orbitals/result/grid_surface.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::app {

using orbitals::OrbitalResult;

std::vector<StoredGrid> stored_grids(const io::h5::Group& root, const OrbitalResult& result) {
    using enum StoredGrid::Quantity;
    std::vector<StoredGrid> grids;
    const std::size_t items = root.contains("orbitals/values") ? result.labels.size() : 0;
    for (std::size_t frame = 0; frame < result.frames.size(); ++frame) {
        const auto add = [&](const std::string& values, std::size_t grid, const std::string& label,
                             StoredGrid::Quantity quantity) {
            grids.push_back({values, static_cast<std::int64_t>(grid), frame, label,
                             file_name(result.frames, frame, label), quantity});
        };
        std::set<std::string> named;  // a repeated orbital is written once
        for (std::size_t i = 0; i < items; ++i)
            if (named.insert(result.labels[i]).second)
                add("orbitals/values", frame * items + i, result.labels[i], orbital);
        for (const char* name : {"density", "spin_density"})
            if (const std::string values = std::string(name) + "/values"; root.contains(values))
                add(values, frame, name, density);
        for (const std::string& field : result.fields)
            add(orbitals::field_values(field), frame, field, other);
        for (const auto& one : result.combinations)
            if (const std::string values = orbitals::combination_values(one.name);
                root.contains(values))
                add(values, frame, one.name, one.of_orbitals ? orbital : density);
    }
    if (root.contains(orbitals::mean_density_values))
        grids.push_back(
            {orbitals::mean_density_values, 0, 0, "mean_density", "mean_density", density});
    return grids;
}

std::vector<StoredSurface> surfaces_of_grids(const io::h5::Group& root, const OrbitalResult& result,
                                             double isovalue) {
    using enum StoredGrid::Quantity;
    std::vector<StoredGrid> grids = stored_grids(root, result);
    std::erase_if(grids, [](const StoredGrid& grid) { return grid.quantity == other; });
    if (grids.empty())
        throw Error("'" + root.file() + "' holds no surfaces",
                    "it also has no grid of an orbital or a density to make them of",
                    "run again with --isosurface 0.05");
    const bool has_orbitals = std::ranges::count(grids, orbital, &StoredGrid::quantity) > 0;
    std::vector<StoredSurface> surfaces;
    for (const StoredGrid& stored : grids) {
        const bool is_orbital = stored.quantity == orbital;
        double level = is_orbital ? orbital_isovalue : density_isovalue;
        if (isovalue > 0 && is_orbital == has_orbitals) level = isovalue;
        const auto make = [dataset = std::make_shared<io::h5::Dataset>(
                               orbitals::open_grids(root, stored.dataset, result)),
                           index = stored.grid, grid = result.grid, level] {
            return orbitals::surface_of_grid(*dataset, index, grid, level);
        };
        surfaces.push_back({make, stored.frame, stored.label, stored.name, level});
    }
    return surfaces;
}

}  // namespace tessera::app
