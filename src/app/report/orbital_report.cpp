#include "app/report/orbital_report.hpp"

#include <fmt/format.h>

#include <string>

#include "app/report/thin_fields.hpp"
#include "core/units.hpp"
#include "io/hdf5/result_values.hpp"
#include "orbitals/result/report.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::app {

namespace {

using orbitals::OrbitalResult;
using Json = nlohmann::ordered_json;

constexpr std::size_t most_shown = 4;  ///< grids or surfaces in the viewer

Json nuclei_of(const OrbitalResult& result) {
    Json nuclei = Json::array();
    for (const io::Nucleus& nucleus : result.nuclei.at(0)) {
        const Vec3 at = units::bohr_in_angstrom * nucleus.position;
        nuclei.push_back({{"symbol", nucleus.symbol}, {"position", {at.x, at.y, at.z}}});
    }
    return nuclei;
}

/// `left_out` gets the labels of those that are not on the page.
Json grids_of(const io::h5::Group& root, const OrbitalResult& result, Json& left_out) {
    Json grids = Json::array();
    const auto add = [&](const std::string& dataset, std::int64_t number,
                         const std::string& label) {
        if (grids.size() == most_shown) return left_out.push_back(label);
        Json grid = thin_grid(orbitals::open_grids(root, dataset, result), number, result.grid);
        grid["label"] = label;
        grids.push_back(grid);
    };
    if (root.contains("orbitals/values"))
        for (std::size_t i = 0; i < result.labels.size(); ++i)
            add("orbitals/values", static_cast<std::int64_t>(i), result.labels[i]);
    for (const char* name : {"density", "spin_density", "mean_density"})
        if (root.contains(std::string(name) + "/values"))
            add(std::string(name) + "/values", 0, name);
    for (const std::string& field : result.fields) add(orbitals::field_values(field), 0, field);
    for (const auto& one : result.combinations)
        if (const std::string values = orbitals::combination_values(one.name);
            root.contains(values))
            add(values, 0, one.name);
    return grids;
}

Json meshes_of(const io::h5::Group& root, const OrbitalResult& result, Json& left_out) {
    Json meshes = Json::array();
    const std::string place = fmt::format("isosurfaces/{}", result.frames.at(0));
    if (!root.contains(place)) return meshes;
    const io::h5::Group group = root.open_group(place);
    for (const std::string& label : group.children()) {
        if (meshes.size() == most_shown) {
            left_out.push_back(label);
            continue;
        }
        const io::h5::Group surface = group.open_group(label);
        Json mesh = thin_mesh(orbitals::read_mesh(surface));
        mesh["label"] = label;
        mesh["isovalue"] = io::finite_attribute(surface, "isovalue");
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
    if (json["grids"].empty()) json["meshes"] = meshes_of(root, result, left_out);
    json["left_out"] = left_out;
    return json;
}

}  // namespace tessera::app
