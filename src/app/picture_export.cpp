#include "app/picture_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "app/vertex_colors.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "io/pictures/color_bar.hpp"
#include "io/pictures/png_writer.hpp"
#include "io/pictures/renderer.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

using orbitals::OrbitalResult;

namespace {

std::string list_of(const std::vector<std::string>& names) {
    return names.empty() ? "none" : io::one_line(fmt::format("{}", fmt::join(names, ", ")), 200);
}

/// What all pictures of an export share.
struct Stage {
    io::Camera camera;
    io::ColorRange range;
    std::string units;  ///< of the colours, after a blank
};

struct Extent {
    io::PictureBox box;
    double least = std::numeric_limits<double>::max(), most = -least;
    std::string units;
};

Extent extent_of(const PictureOptions& options, const std::vector<PlannedPicture>& pictures,
                 const OrbitalResult& result, const Matrix3& axes) {
    Extent extent;
    for (const PlannedPicture& picture : pictures) {
        const StoredSurface& surface = *picture.surface;
        const io::Mesh mesh = surface.mesh();
        io::check_mesh(picture.path, mesh);
        io::add_to_box(extent.box, axes, result.nuclei[surface.frame], mesh);
        if (options.color.empty()) continue;
        const io::Mesh::Field& field =
            field_of(mesh, options.color, "--render-color", surface.name);
        if (!field.units.empty()) extent.units = " " + field.units;
        for (const double value : field.values) {
            extent.least = std::min(extent.least, value);
            extent.most = std::max(extent.most, value);
        }
    }
    return extent;
}

Stage stage_of(const PictureOptions& options, const std::vector<PlannedPicture>& pictures,
               const OrbitalResult& result, const PictureSize& size) {
    const auto& first = result.nuclei[pictures.front().surface->frame];
    const Matrix3 axes = io::camera_axes(parse_view(options.view), first);
    const Extent extent = extent_of(options, pictures, result, axes);
    const double bar = options.color.empty() ? 0 : io::width_of_bar * size.width;
    Stage stage;
    stage.camera = io::camera_for(axes, extent.box, size.width - bar, size.height);
    if (options.color.empty()) return stage;
    stage.range = range_of(extent.least, extent.most, options.range);
    stage.units = extent.units;
    return stage;
}

io::Picture picture_of(const PictureOptions& options, const StoredSurface& surface,
                       const OrbitalResult& result, const Stage& stage, const PictureSize& size) {
    const io::Mesh mesh = surface.mesh();
    io::PictureScene scene{result.nuclei[surface.frame], mesh, {}};
    if (!options.color.empty())
        for (const double value :
             field_of(mesh, options.color, "--render-color", surface.name).values)
            scene.values.push_back(
                static_cast<float>(std::clamp(value / stage.range.high, -1e3, 1e3)));
    const io::Drawing drawing =
        io::draw(scene, stage.camera, io::samples_of_side, static_cast<float>(options.opacity));
    io::Picture picture =
        io::render(drawing, size.width, size.height, options.background == "transparent");
    if (!options.color.empty()) io::draw_color_bar(picture, stage.range);
    return picture;
}

}  // namespace

std::vector<std::string> picture_files(const std::string& path,
                                       const std::vector<std::string>& names) {
    std::vector<std::string> files;
    files.reserve(names.size());
    for (const std::string& name : names) {
        std::filesystem::path one = path;
        if (names.size() > 1) one.replace_filename(one.stem().string() + "-" + name + ".png");
        files.push_back(one.string());
    }
    return files;
}

std::vector<PlannedPicture> plan_pictures(const PictureOptions& options,
                                          const std::vector<StoredSurface>& surfaces,
                                          const OrbitalResult& result, const ExportRules& rules) {
    std::vector<const StoredSurface*> chosen;
    std::vector<std::string> labels;
    for (const StoredSurface& surface : surfaces) {
        if (std::ranges::find(labels, surface.label) == labels.end())
            labels.push_back(surface.label);
        if ((options.surface.empty() || surface.label == options.surface) &&
            (options.frame == 0 || result.frames[surface.frame] == options.frame))
            chosen.push_back(&surface);
    }
    if (!options.surface.empty() && std::ranges::find(labels, options.surface) == labels.end())
        throw Error("--render-surface: there is no surface '" + io::one_line(options.surface) + "'",
                    "the result has: " + list_of(labels), "name one of these");
    if (chosen.empty() && options.frame == 0)
        throw Error("--render: there is no surface", "the result holds none of any frame",
                    "run again with --isosurface 0.05");
    if (chosen.empty())
        throw Error(fmt::format("--render-frame: there is no surface of frame {}", options.frame),
                    "the result has other frames", "see them with tessera info");
    std::vector<std::string> names;
    names.reserve(chosen.size());
    for (const StoredSurface* surface : chosen) names.push_back(surface->name);
    const std::vector<std::string> files = picture_files(options.path, names);
    std::vector<PlannedPicture> pictures;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        rules.check(files[i], io::is_png_export);
        pictures.push_back({files[i], chosen[i]});
    }
    return pictures;
}

void write_pictures(const PictureOptions& options, const std::vector<PlannedPicture>& pictures,
                    const OrbitalResult& result) {
    const PictureSize size = parse_size(options.size);
    const Stage stage = stage_of(options, pictures, result, size);
    for (const PlannedPicture& one : pictures) {
        io::write_png(one.path, picture_of(options, *one.surface, result, stage, size),
                      "tessera orbital, " + one.surface->name);
        if (!options.quiet) print_line(stdout, "written: " + one.path);
    }
    if (!options.color.empty() && !options.quiet)
        print_line(stdout, fmt::format("colours: {} from {:.6g} to {:.6g}{}", options.color,
                                       stage.range.low, stage.range.high, stage.units));
}

}  // namespace tessera::app
