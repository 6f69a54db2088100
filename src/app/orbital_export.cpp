#include "app/orbital_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "app/option_checks.hpp"
#include "app/picture_export.hpp"
#include "app/stored_grids.hpp"
#include "app/surface_export.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "io/fields/cube_writer.hpp"
#include "io/fields/opendx_writer.hpp"
#include "io/fields/vti_writer.hpp"
#include "io/fields/vtkhdf_writer.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/grid_file.hpp"
#include "io/scenes/glb_writer.hpp"
#include "orbitals/result/report.hpp"
#include "orbitals/result/stored_fields.hpp"

namespace tessera::app {

namespace {

using orbitals::OrbitalResult;

/// A format for grids: its option, the end of the names of its files, and its writer.
struct VolumeFormat {
    const char* option;
    const char* extension;
    const char* help;
    void (*write)(const std::string& path, const io::Volume& volume);
    bool (*is_ours)(const std::string& path) = io::is_export;
};

constexpr std::array<VolumeFormat, 4> volume_formats{
    {{"--cube", ".cube", "folder for Gaussian cube files of all grids of an orbital run",
      io::write_cube},
     {"--dx", ".dx", "folder for OpenDX files of all grids of an orbital run", io::write_opendx},
     {"--vti", ".vti", "folder for VTK image files of all grids of an orbital run, for ParaView",
      io::write_vti},
     {"--vtkhdf", ".vtkhdf", "the same in VTK's layout of HDF5", io::write_vtkhdf,
      io::is_vtkhdf_export}}};

void write_volumes(const io::h5::Group& root, const OrbitalResult& result,
                   const std::vector<StoredGrid>& grids, const std::string& folder,
                   const VolumeFormat& format) {
    std::map<std::string, io::h5::Dataset> datasets;
    for (const StoredGrid& stored : grids)
        if (!datasets.contains(stored.dataset))
            datasets.emplace(stored.dataset, orbitals::open_grids(root, stored.dataset, result));
    for (const StoredGrid& stored : grids) {
        const io::h5::Dataset& dataset = datasets.at(stored.dataset);
        io::Volume volume{
            "tessera orbital, " + stored.name, result.nuclei[stored.frame], result.grid, {}};
        volume.name = stored.label;
        if (dataset.has_attribute("units"))
            volume.units = dataset.read_attribute<std::string>("units");
        volume.is_single = io::stores_single(dataset);
        volume.read = [&](const auto& begin, const auto& shape) {
            return io::read_grid_box(dataset, stored.grid, begin, shape);
        };
        format.write(folder + "/" + stored.name + format.extension, volume);
    }
}

/// Makes the folder. Throws Error if one of the files may not be written.
template <class Stored>
void open_folder(const std::string& folder, const std::vector<Stored>& files,
                 const std::string& extension, const ExportRules& rules,
                 bool (*is_ours)(const std::string&) = io::is_export) {
    if (folder.empty()) return;
    std::set<std::string> names;
    for (const Stored& file : files)
        if (!names.insert(file.name).second)
            throw Error("cannot write '" + folder + "/" + file.name + extension + "'",
                        "two grids or surfaces of the result have this name",
                        "give the output of a tessera run as it was written");
    io::make_folder(folder);
    for (const Stored& file : files) rules.check(folder + "/" + file.name + extension, is_ours);
}

/// Says at which values surfaces are made of grids.
void say_levels(const std::vector<StoredSurface>& surfaces) {
    std::set<std::pair<std::string, double>> said;
    for (const StoredSurface& surface : surfaces)
        if (said.insert({surface.label, surface.level}).second)
            print_line(stdout, fmt::format("surface of {} at {:g}, made of its grid", surface.label,
                                           surface.level));
}

}  // namespace

OrbitalExport OrbitalExport::to_cubes(const std::string& folder) {
    OrbitalExport cubes;
    cubes.volumes_[0] = folder;
    return cubes;
}

OrbitalExport OrbitalExport::to_pictures(const std::string& file, bool quiet) {
    OrbitalExport pictures;
    pictures.picture_.path = file;
    pictures.picture_.quiet = quiet;
    return pictures;
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
    for (std::size_t i = 0; i < volume_formats.size(); ++i)
        command.add_option(volume_formats[i].option, volumes_[i], volume_formats[i].help);
    command.add_option("--mesh", mesh_, "folder for meshes of all isosurfaces of an orbital run");
    command.add_option(
        "--glb", glb_,
        "folder for scenes of all isosurfaces of an orbital run with atoms and bonds "
        "(binary glTF); frames become an animation");
    colors_.declare(command);
    command
        .add_option("--isovalue", isovalue_,
                    "make the surfaces of --mesh, --glb and --render from the grids, at this value "
                    "of the orbitals, in bohr^-3/2, or without orbitals of the densities, in "
                    "bohr^-3; a result without surfaces has them at 0.05 and 0.002")
        ->default_str("")
        ->check(number_above_0(1e6));
    field_surfaces_.declare(command);
    command.add_option("--mesh-format", mesh_format_, "format of the meshes: ply or obj")
        ->check(CLI::IsMember({"ply", "obj"}));
    picture_.declare(command);
}

bool OrbitalExport::chosen() const {
    return writes_volumes() || !mesh_.empty() || !glb_.empty() || !picture_.path.empty();
}

bool OrbitalExport::writes_volumes() const {
    return std::ranges::any_of(volumes_, [](const std::string& folder) { return !folder.empty(); });
}

bool OrbitalExport::writes_surfaces() const {
    return !mesh_.empty() || !glb_.empty() || !picture_.path.empty();
}

void OrbitalExport::check_surfaces() const {
    field_surfaces_.check();
    const bool made = isovalue_ > 0 || field_surfaces_.chosen();
    if (made && !writes_surfaces())
        throw Error(std::string(isovalue_ > 0 ? "--isovalue" : "--surface") +
                        ": there is no surface to write",
                    "it is the level of a surface", "add --mesh, --glb or --render");
    if (isovalue_ > 0 && field_surfaces_.chosen())
        throw Error("--isovalue and --surface exclude each other",
                    "both say of which grids surfaces are made",
                    "give the values of all surfaces with --surface NAME=VALUE");
}

std::vector<StoredSurface> OrbitalExport::surfaces_of(const io::h5::Group& root,
                                                      const OrbitalResult& result) const {
    const bool made = field_surfaces_.chosen() || isovalue_ > 0 || !root.contains("isosurfaces");
    if (!made) return stored_surfaces(root, result);
    auto surfaces = field_surfaces_.chosen() ? field_surfaces_.make(root, result)
                                             : surfaces_of_grids(root, result, isovalue_);
    say_levels(surfaces);
    return surfaces;
}

void OrbitalExport::run(const io::h5::Group& root, const ExportRules& rules) const {
    if (const auto workload = root.read_attribute<std::string>("workload"); workload != "orbital")
        throw Error("'" + root.file() + "' holds no orbitals", "its workload is " + workload,
                    "give the output of tessera orbital");
    picture_.check();
    check_surfaces();
    const OrbitalResult result = orbitals::read_orbital_result(root);
    std::vector<StoredGrid> grids;
    std::vector<StoredSurface> surfaces;
    if (writes_volumes()) grids = stored_grids(root, result);
    if (writes_volumes() && grids.empty())
        throw Error("'" + root.file() + "' holds no grids",
                    "the run computed only norms or isosurfaces",
                    "run again without --norms-only, or with --grids");
    if (writes_surfaces()) surfaces = surfaces_of(root, result);
    std::vector<PlannedPicture> pictures;
    if (!picture_.path.empty()) pictures = plan_pictures(picture_, surfaces, result, rules);
    const std::vector<StoredScene> scenes = scenes_of(surfaces);
    for (std::size_t i = 0; i < volume_formats.size(); ++i)
        open_folder(volumes_[i], grids, volume_formats[i].extension, rules,
                    volume_formats[i].is_ours);
    open_folder(mesh_, surfaces, "." + mesh_format_, rules);
    open_folder(glb_, scenes, ".glb", rules, io::is_glb_export);
    for (std::size_t i = 0; i < volume_formats.size(); ++i)
        if (!volumes_[i].empty())
            write_volumes(root, result, grids, volumes_[i], volume_formats[i]);
    if (!mesh_.empty()) write_meshes(surfaces, mesh_, mesh_format_);
    if (!glb_.empty()) write_scenes(scenes, result, glb_, colors_);
    if (!pictures.empty()) write_pictures(picture_, pictures, result);
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
