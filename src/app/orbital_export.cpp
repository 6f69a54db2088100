#include "app/orbital_export.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

#include "core/error.hpp"
#include "io/fields/cube_writer.hpp"
#include "io/fields/mesh_writer.hpp"
#include "io/fields/opendx_writer.hpp"
#include "io/files/file_name.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/grid_file.hpp"
#include "orbitals/result/report.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::app {

namespace {

using orbitals::OrbitalResult;

/// A grid of the result: its dataset, its index there, its frame, and the name of its files.
struct StoredGrid {
    std::string dataset;
    std::int64_t grid = 0;
    std::size_t frame = 0;
    std::string name;
};

/// "HOMO", or "0003_HOMO" if there are several frames.
std::string file_name(const std::vector<std::int64_t>& frames, std::size_t frame,
                      const std::string& label) {
    return frames.size() > 1 ? fmt::format("{:04}_{}", frames[frame], label) : label;
}
std::string file_name(const OrbitalResult& result, std::size_t frame, const std::string& label) {
    return file_name(result.frames, frame, label);
}

std::vector<StoredGrid> stored_grids(const io::h5::Group& root, const OrbitalResult& result) {
    std::vector<StoredGrid> grids;
    const std::size_t items = root.contains("orbitals/values") ? result.labels.size() : 0;
    for (std::size_t frame = 0; frame < result.frames.size(); ++frame) {
        std::set<std::string> named;  // a repeated orbital is written once
        for (std::size_t i = 0; i < items; ++i)
            if (named.insert(result.labels[i]).second)
                grids.push_back({"orbitals/values", static_cast<std::int64_t>(frame * items + i),
                                 frame, file_name(result, frame, result.labels[i])});
        for (const char* density : {"density", "spin_density"})
            if (const std::string values = std::string(density) + "/values"; root.contains(values))
                grids.push_back({values, static_cast<std::int64_t>(frame), frame,
                                 file_name(result, frame, density)});
        for (const std::string& field : result.fields)
            grids.push_back({orbitals::field_values(field), static_cast<std::int64_t>(frame), frame,
                             file_name(result, frame, field)});
        for (const auto& one : result.combinations)
            if (const std::string values = orbitals::combination_values(one.name);
                root.contains(values))
                grids.push_back({values, static_cast<std::int64_t>(frame), frame,
                                 file_name(result, frame, one.name)});
    }
    if (root.contains(orbitals::mean_density_values))
        grids.push_back({orbitals::mean_density_values, 0, 0, "mean_density"});
    if (grids.empty())
        throw Error("'" + root.file() + "' holds no grids",
                    "the run computed only norms or isosurfaces",
                    "run again without --norms-only, or with --grids");
    return grids;
}

void write_volumes(const io::h5::Group& root, const OrbitalResult& result,
                   const std::vector<StoredGrid>& grids, const std::string& folder,
                   const std::string& extension,
                   const std::function<void(const std::string&, const io::Volume&)>& write) {
    std::map<std::string, io::h5::Dataset> datasets;
    for (const StoredGrid& stored : grids)
        if (!datasets.contains(stored.dataset))
            datasets.emplace(stored.dataset, orbitals::open_grids(root, stored.dataset, result));
    for (const StoredGrid& stored : grids) {
        const io::h5::Dataset& dataset = datasets.at(stored.dataset);
        io::Volume volume{
            "tessera orbital, " + stored.name, result.nuclei[stored.frame], result.grid, {}};
        const auto shape = result.grid.shape;
        volume.read = [&, shape](std::int64_t first, std::int64_t count) {
            return io::read_grid_box(dataset, stored.grid, {first, 0, 0},
                                     {count, shape[1], shape[2]});
        };
        write(folder + "/" + stored.name + extension, volume);
    }
}

/// A surface of the result, and the name of its mesh file.
struct StoredSurface {
    io::h5::Group group;
    std::string name;
};

std::vector<StoredSurface> stored_surfaces(const io::h5::Group& root, const OrbitalResult& result) {
    if (!root.contains("isosurfaces"))
        throw Error("'" + root.file() + "' holds no surfaces", "the run did not ask for any",
                    "run again with --isosurface 0.05");
    std::vector<StoredSurface> surfaces;
    for (std::size_t frame = 0; frame < result.frames.size(); ++frame) {
        const auto group = root.open_group(fmt::format("isosurfaces/{}", result.frames[frame]));
        for (const std::string& label : group.children()) {
            io::require_file_name(root.file(), "surface", label);
            surfaces.push_back({group.open_group(label), file_name(result, frame, label)});
        }
    }
    return surfaces;
}

void write_meshes(const std::vector<StoredSurface>& surfaces, const std::string& folder,
                  const std::string& format) {
    for (const auto& [group, name] : surfaces) {
        io::Mesh mesh = orbitals::read_mesh(group);
        mesh.title = "tessera orbital, " + name;
        const std::string path = folder + "/" + name + "." + format;
        format == "ply" ? io::write_ply(path, mesh) : io::write_obj(path, mesh);
    }
}

/// Makes the folder. Throws Error if one of the files may not be written.
template <class Stored>
void open_folder(const std::string& folder, const std::vector<Stored>& files,
                 const std::string& extension, const ExportRules& rules) {
    if (folder.empty()) return;
    std::set<std::string> names;
    for (const Stored& file : files)
        if (!names.insert(file.name).second)
            throw Error("cannot write '" + folder + "/" + file.name + extension + "'",
                        "two grids or surfaces of the result have this name",
                        "give the output of a tessera run as it was written");
    io::make_folder(folder);
    for (const Stored& file : files) rules.check(folder + "/" + file.name + extension);
}

}  // namespace

OrbitalExport OrbitalExport::to_cubes(const std::string& folder) {
    OrbitalExport cubes;
    cubes.cube_ = folder;
    return cubes;
}

std::vector<std::string> cube_files(const std::string& folder,
                                    const std::vector<std::int64_t>& frames,
                                    const std::vector<std::string>& names) {
    std::vector<std::string> files;
    for (std::size_t frame = 0; frame < frames.size(); ++frame)
        for (const std::string& name : names)
            files.push_back(folder + "/" + file_name(frames, frame, name) + ".cube");
    return files;
}

void OrbitalExport::declare(CLI::App& command) {
    command.add_option("--cube", cube_,
                       "folder for Gaussian cube files of all grids of an orbital run");
    command.add_option("--dx", dx_, "folder for OpenDX files of all grids of an orbital run");
    command.add_option("--mesh", mesh_, "folder for meshes of all isosurfaces of an orbital run");
    command.add_option("--mesh-format", mesh_format_, "format of the meshes: ply or obj")
        ->check(CLI::IsMember({"ply", "obj"}));
}

void OrbitalExport::run(const io::h5::Group& root, const ExportRules& rules) const {
    if (const auto workload = root.read_attribute<std::string>("workload"); workload != "orbital")
        throw Error("'" + root.file() + "' holds no orbitals", "its workload is " + workload,
                    "give the output of tessera orbital");
    const OrbitalResult result = orbitals::read_orbital_result(root);
    std::vector<StoredGrid> grids;
    std::vector<StoredSurface> surfaces;
    if (!cube_.empty() || !dx_.empty()) grids = stored_grids(root, result);
    if (!mesh_.empty()) surfaces = stored_surfaces(root, result);
    open_folder(cube_, grids, ".cube", rules);
    open_folder(dx_, grids, ".dx", rules);
    open_folder(mesh_, surfaces, "." + mesh_format_, rules);
    if (!cube_.empty()) write_volumes(root, result, grids, cube_, ".cube", io::write_cube);
    if (!dx_.empty()) write_volumes(root, result, grids, dx_, ".dx", io::write_opendx);
    write_meshes(surfaces, mesh_, mesh_format_);
}

std::string describe_orbitals(const io::h5::Group& root) {
    const OrbitalResult result = orbitals::read_without_nuclei(root);
    const auto& shape = result.grid.shape;
    return fmt::format(
        "orbitals   {} of {} frame{}, grid {} x {} x {}, {}{}\n{}", result.labels.size(),
        result.frames.size(), result.frames.size() > 1 ? "s" : "", shape[0], shape[1], shape[2],
        root.contains("orbitals/values") ? "values"
        : result.labels.empty()          ? "no orbitals"
                                         : "norms only",
        root.contains("isosurfaces") ? ", isosurfaces" : "", orbitals::report_table(result, 20));
}

}  // namespace tessera::app
