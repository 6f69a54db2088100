#include "app/surface_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "app/option_checks.hpp"
#include "app/vertex_colors.hpp"
#include "core/terminal.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/files/file_name.hpp"
#include "io/scenes/glb_writer.hpp"
#include "orbitals/result/stored_fields.hpp"
#include "orbitals/selection/density_field.hpp"

namespace tessera::app {

using orbitals::OrbitalResult;

std::string file_name(const std::vector<std::int64_t>& frames, std::size_t frame,
                      const std::string& label) {
    return frames.size() > 1 ? fmt::format("{:04}_{}", frames[frame], label) : label;
}

std::vector<StoredSurface> stored_surfaces(const io::h5::Group& root, const OrbitalResult& result) {
    std::vector<StoredSurface> surfaces;
    for (std::size_t frame = 0; frame < result.frames.size(); ++frame) {
        const auto group = root.open_group(fmt::format("isosurfaces/{}", result.frames[frame]));
        for (const std::string& label : group.children()) {
            io::require_file_name(root.file(), "surface", label);
            const auto read = [at = std::make_shared<io::h5::Group>(group.open_group(label))] {
                return orbitals::read_mesh(*at);
            };
            surfaces.push_back({read, frame, label, file_name(result.frames, frame, label)});
        }
    }
    return surfaces;
}

void write_meshes(const std::vector<StoredSurface>& surfaces, const std::string& folder,
                  const std::string& format) {
    for (const StoredSurface& surface : surfaces) {
        io::Mesh mesh = surface.mesh();
        mesh.title = "tessera orbital, " + surface.name;
        const std::string path = folder + "/" + surface.name + "." + format;
        format == "ply" ? io::write_ply(path, mesh) : io::write_obj(path, mesh);
    }
}

std::vector<StoredScene> scenes_of(const std::vector<StoredSurface>& surfaces) {
    std::map<std::string, std::vector<const StoredSurface*>> by_label;
    for (const StoredSurface& surface : surfaces) by_label[surface.label].push_back(&surface);
    std::vector<StoredScene> scenes;
    for (const auto& [label, of_label] : by_label) scenes.push_back({label, of_label});
    return scenes;
}

void SceneColors::declare(CLI::App& command) {
    command
        .add_option("--glb-color", field,
                    "colour the surfaces of --glb by this field of --vertex-field, or by their "
                    "lobes with the word lobes; default: esp or the first field, if there is one")
        ->check(not_empty("a name of a vertex field"));
    command
        .add_option("--glb-range", range,
                    "value of the darkest colour of --glb; default: the largest value")
        ->default_str("")
        ->check(number_above_0(1e30));
}

namespace {

/// The field that colours a scene, or nothing for the lobes.
std::string field_of_scene(const StoredScene& scene, const SceneColors& colors) {
    if (colors.field == "lobes") return "";
    if (!colors.field.empty()) return colors.field;
    const auto fields = scene.surfaces.front()->mesh().fields;
    if (fields.empty()) return "";
    const bool has_potential =
        std::ranges::count(fields, orbitals::potential_name, &io::Mesh::Field::name) > 0;
    return has_potential ? orbitals::potential_name : fields.front().name;
}

/// The range of a field over all frames of a scene. Says what the colours mean.
io::ColorRange range_of_scene(const StoredScene& scene, const std::string& field, double wanted) {
    double least = std::numeric_limits<double>::max(), most = -least;
    std::string units;
    for (const StoredSurface* surface : scene.surfaces) {
        const io::Mesh mesh = surface->mesh();
        const io::Mesh::Field& values = field_of(mesh, field, "--glb-color", surface->name);
        for (const double value : values.values) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
        if (!values.units.empty()) units = " " + values.units;
    }
    const io::ColorRange range = range_of(least, most, wanted);
    print_line(stdout, fmt::format("colours of {}: {} from {:.6g} to {:.6g}{}", scene.name, field,
                                   range.low, range.high, units));
    return range;
}

}  // namespace

void write_scenes(const std::vector<StoredScene>& scenes, const OrbitalResult& result,
                  const std::string& folder, const SceneColors& colors) {
    for (const StoredScene& scene : scenes) {
        const std::string field = field_of_scene(scene, colors);
        io::ColorRange range;
        if (!field.empty()) range = range_of_scene(scene, field, colors.range);
        const auto frame = [&](std::size_t i) -> io::SceneFrame {
            const StoredSurface& surface = *scene.surfaces[i];
            io::SceneFrame shown{fmt::format("frame {}", result.frames[surface.frame]),
                                 result.nuclei[surface.frame],
                                 surface.mesh(),
                                 {}};
            if (!field.empty())
                shown.colors =
                    colors_of(field_of(shown.surface, field, "--glb-color", surface.name), range);
            return shown;
        };
        io::write_glb(folder + "/" + scene.name + ".glb",
                      {"tessera orbital, " + scene.name, scene.name, scene.surfaces.size(), frame});
    }
}

}  // namespace tessera::app
