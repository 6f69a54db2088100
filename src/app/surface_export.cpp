#include "app/surface_export.hpp"

#include <fmt/format.h>

#include <map>

#include "core/error.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/files/file_name.hpp"
#include "io/scenes/glb_writer.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::app {

using orbitals::OrbitalResult;

std::string file_name(const std::vector<std::int64_t>& frames, std::size_t frame,
                      const std::string& label) {
    return frames.size() > 1 ? fmt::format("{:04}_{}", frames[frame], label) : label;
}

std::vector<StoredSurface> stored_surfaces(const io::h5::Group& root, const OrbitalResult& result) {
    if (!root.contains("isosurfaces"))
        throw Error("'" + root.file() + "' holds no surfaces", "the run did not ask for any",
                    "run again with --isosurface 0.05");
    std::vector<StoredSurface> surfaces;
    for (std::size_t frame = 0; frame < result.frames.size(); ++frame) {
        const auto group = root.open_group(fmt::format("isosurfaces/{}", result.frames[frame]));
        for (const std::string& label : group.children()) {
            io::require_file_name(root.file(), "surface", label);
            surfaces.push_back(
                {group.open_group(label), frame, label, file_name(result.frames, frame, label)});
        }
    }
    return surfaces;
}

void write_meshes(const std::vector<StoredSurface>& surfaces, const std::string& folder,
                  const std::string& format) {
    for (const StoredSurface& surface : surfaces) {
        io::Mesh mesh = orbitals::read_mesh(surface.group);
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

void write_scenes(const std::vector<StoredScene>& scenes, const OrbitalResult& result,
                  const std::string& folder) {
    for (const StoredScene& scene : scenes) {
        const auto frame = [&](std::size_t i) -> io::SceneFrame {
            const StoredSurface& surface = *scene.surfaces[i];
            return {fmt::format("frame {}", result.frames[surface.frame]),
                    result.nuclei[surface.frame], orbitals::read_mesh(surface.group)};
        };
        io::write_glb(folder + "/" + scene.name + ".glb",
                      {"tessera orbital, " + scene.name, scene.name, scene.surfaces.size(), frame});
    }
}

}  // namespace tessera::app
