#include "app/report/orbital_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/report/thin_fields.hpp"
#include "core/units.hpp"
#include "io/hdf5/result_values.hpp"
#include "orbitals/result/report.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::app {

namespace {

using orbitals::OrbitalResult;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_grids = 6, most_meshes = 4;  ///< in the viewer

Json nuclei_of(const OrbitalResult& result) {
    Json nuclei = Json::array();
    for (const io::Nucleus& nucleus : result.nuclei.at(0)) {
        const Vec3 at = units::bohr_in_angstrom * nucleus.position;
        nuclei.push_back({{"symbol", nucleus.symbol}, {"position", {at.x, at.y, at.z}}});
    }
    return nuclei;
}

struct StoredGrid {
    std::string dataset;
    std::int64_t number;  ///< in the dataset
    std::string label;
};

/// Of the first frame. Components of a gradient come last: few look at one alone.
std::vector<StoredGrid> stored_grids(const io::h5::Group& root, const OrbitalResult& result) {
    std::vector<StoredGrid> grids;
    if (root.contains("orbitals/values"))
        for (std::size_t i = 0; i < result.labels.size(); ++i)
            grids.push_back({"orbitals/values", static_cast<std::int64_t>(i), result.labels[i]});
    for (const char* name : {"density", "spin_density", "mean_density"})
        if (root.contains(std::string(name) + "/values"))
            grids.push_back({std::string(name) + "/values", 0, name});
    for (const auto& one : result.combinations)
        if (const std::string values = orbitals::combination_values(one.name);
            root.contains(values))
            grids.push_back({values, 0, one.name});
    for (const std::string& field : result.fields)
        grids.push_back({orbitals::field_values(field), 0, field});
    std::ranges::stable_partition(
        grids, [](const StoredGrid& one) { return !one.dataset.starts_with("fields/gradient_"); });
    return grids;
}

std::string units_of(const io::h5::Dataset& dataset) {
    return dataset.has_attribute("units") ? dataset.read_attribute<std::string>("units") : "";
}

/// `left_out` gets the labels of those that are not on the page.
Json grids_of(const io::h5::Group& root, const OrbitalResult& result, Json& left_out) {
    Json grids = Json::array();
    for (const StoredGrid& stored : stored_grids(root, result)) {
        if (grids.size() == most_grids) {
            left_out.push_back(stored.label);
            continue;
        }
        const io::h5::Dataset dataset = orbitals::open_grids(root, stored.dataset, result);
        Json grid = thin_grid(dataset, stored.number, result.grid);
        grid["label"] = stored.label;
        grid["units"] = units_of(dataset);
        grid["of_orbital"] = stored.dataset == "orbitals/values";
        grids.push_back(grid);
    }
    return grids;
}

bool is_of_orbital(const OrbitalResult& result, const std::string& label) {
    const auto combination =
        std::ranges::find(result.combinations, label, &orbitals::StoredCombination::name);
    if (combination != result.combinations.end()) return combination->of_orbitals;
    return std::ranges::find(result.labels, label) != result.labels.end();
}

/// Surfaces of the first frame: all, or only those whose vertices have values of another field.
Json meshes_of(const io::h5::Group& root, const OrbitalResult& result, bool only_coloured,
               Json& left_out) {
    Json meshes = Json::array();
    const std::string place = fmt::format("isosurfaces/{}", result.frames.at(0));
    if (!root.contains(place)) return meshes;
    const io::h5::Group group = root.open_group(place);
    for (const std::string& label : group.children()) {
        const io::h5::Group surface = group.open_group(label);
        if (only_coloured && !surface.contains("fields")) continue;
        if (meshes.size() == most_meshes) {
            left_out.push_back("the surface of " + label);
            continue;
        }
        Json mesh = thin_mesh(orbitals::read_mesh(surface));
        mesh["label"] = label;
        mesh["isovalue"] = io::finite_attribute(surface, "isovalue");
        mesh["units"] = is_of_orbital(result, label) ? "bohr^-3/2" : "bohr^-3";
        for (Json& field : mesh["fields"])
            field["units"] = units_of(
                surface.open_group("fields").open_dataset(field["name"].get<std::string>()));
        meshes.push_back(mesh);
    }
    return meshes;
}

}  // namespace

Json orbital_report(const io::h5::Group& root) {
    const OrbitalResult result = orbitals::read_orbital_result(root);
    if (result.frames.empty()) root.refuse("'/orbitals/frames'", "it has no frames");
    Json left_out = Json::array();
    Json json{{"frame", result.frames.at(0)},
              {"frames", result.frames.size()},
              {"nuclei", nuclei_of(result)},
              {"grids", grids_of(root, result, left_out)},
              {"meshes", Json::array()}};
    json["meshes"] = meshes_of(root, result, !json["grids"].empty(), left_out);
    json["left_out"] = left_out;
    return json;
}

}  // namespace tessera::app
