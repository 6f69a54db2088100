#include "app/field_surfaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "app/stored_grids.hpp"
#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/result/grid_surface.hpp"
#include "orbitals/result/grid_values.hpp"
#include "orbitals/result/stored_fields.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::app {

using orbitals::OrbitalResult;

namespace {

/// A grid, and the value at which it has a surface.
struct Level {
    std::string label;
    double level = 0;
};

/// A grid, and its values on the part of a surface that is shown.
struct Range {
    std::string label;
    double low = 0, high = 0;
};

/// The text before and after the last '='.
std::pair<std::string, std::string> name_and_rest(const std::string& text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos) return {text, ""};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

Level parse_level(const std::string& text) {
    const auto [label, rest] = name_and_rest(text);
    const auto level = orbitals::real_number(rest);
    if (label.empty() || !level || !(*level > 0))
        throw Error("--surface: '" + io::one_line(text) + "' is no surface",
                    "a surface is the name of a grid and a value above 0",
                    "write it as in --surface rdg=0.5");
    return {label, *level};
}

Range parse_range(const std::string& text) {
    const auto [label, rest] = name_and_rest(text);
    const std::size_t colon = rest.find(':');
    const auto low = orbitals::real_number(rest.substr(0, colon));
    const auto high =
        orbitals::real_number(colon == std::string::npos ? std::string() : rest.substr(colon + 1));
    if (label.empty() || !low || !high || !(*low <= *high))
        throw Error("--surface-within: '" + io::one_line(text) + "' is no range",
                    "a range is the name of a grid and two values, the lower one first",
                    "write it as in --surface-within sign-lambda2-density=-0.05:0.05");
    return {label, *low, *high};
}

/// What the surfaces of a frame are made of: each grid and its dataset.
struct FrameGrids {
    std::vector<StoredGrid> grids;
    std::vector<std::shared_ptr<io::h5::Dataset>> datasets;
    UniformGrid grid;

    std::size_t index_of(const std::string& label, const std::string& option) const;
    std::vector<double> values(std::size_t i, const io::Mesh& mesh) const {
        return orbitals::values_at(*datasets[i], grids[i].grid, grid, mesh.vertices);
    }
};

std::size_t FrameGrids::index_of(const std::string& label, const std::string& option) const {
    std::string in_file = label;  // which has "_" where an option has "-"
    std::ranges::replace(in_file, '-', '_');
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < grids.size(); ++i) {
        if (grids[i].label == label || grids[i].label == in_file) return i;
        labels.push_back(grids[i].label);
    }
    throw Error(option + ": the result has no grid '" + io::one_line(label) + "'",
                labels.empty()
                    ? "it has none"
                    : "it has: " + io::one_line(fmt::format("{}", fmt::join(labels, ", ")), 200),
                (labels.empty() ? "" : "name one of these, or ") +
                    ("run again with --field " + io::one_line(label)));
}

/// The grids of each frame.
std::vector<std::shared_ptr<const FrameGrids>> grids_of_frames(const io::h5::Group& root,
                                                               const OrbitalResult& result) {
    std::vector<FrameGrids> frames(result.frames.size());
    for (StoredGrid& stored : stored_grids(root, result)) {
        if (stored.dataset == orbitals::mean_density_values) continue;  // of no single frame
        FrameGrids& frame = frames[stored.frame];
        frame.grid = result.grid;
        frame.datasets.push_back(
            std::make_shared<io::h5::Dataset>(orbitals::open_grids(root, stored.dataset, result)));
        frame.grids.push_back(std::move(stored));
    }
    std::vector<std::shared_ptr<const FrameGrids>> shared;
    shared.reserve(frames.size());
    for (FrameGrids& frame : frames)
        shared.push_back(std::make_shared<const FrameGrids>(std::move(frame)));
    return shared;
}

/// The surface of grid `own`, with the values of the other densities and derived fields.
io::Mesh surface_with_values(const FrameGrids& frame, std::size_t own, double level,
                             const std::vector<Range>& ranges) {
    io::Mesh mesh =
        orbitals::surface_of_grid(*frame.datasets[own], frame.grids[own].grid, frame.grid, level);
    for (std::size_t i = 0; i < frame.grids.size(); ++i) {
        if (i == own || frame.grids[i].quantity == StoredGrid::Quantity::orbital) continue;
        const io::h5::Dataset& dataset = *frame.datasets[i];
        mesh.fields.push_back(
            {frame.grids[i].label, frame.values(i, mesh),
             dataset.has_attribute("units") ? dataset.read_attribute<std::string>("units") : ""});
    }
    for (const Range& range : ranges) {
        const std::size_t i = frame.index_of(range.label, "--surface-within");
        mesh = orbitals::part_within(mesh, frame.values(i, mesh), range.low, range.high);
    }
    return mesh;
}

}  // namespace

void FieldSurfaces::declare(CLI::App& command) {
    command
        .add_option("--surface", surfaces_,
                    "make surfaces for --mesh, --glb and --render from this grid, a derived field "
                    "for example, at this value and its negative, as in rdg=0.5; the other grids "
                    "but orbitals become fields of its vertices; may be repeated")
        ->type_name("NAME=VALUE");
    command
        .add_option("--surface-within", within_,
                    "show only the parts of --surface where this grid has values from LOW to HIGH, "
                    "as in sign-lambda2-density=-0.05:0.05; may be repeated")
        ->type_name("NAME=LOW:HIGH");
}

void FieldSurfaces::check() const {
    if (surfaces_.empty() && !within_.empty())
        throw Error("--surface-within: there is no surface to cut", "it cuts those of --surface",
                    "add --surface NAME=VALUE");
}

std::vector<StoredSurface> FieldSurfaces::make(const io::h5::Group& root,
                                               const OrbitalResult& result) const {
    std::vector<Range> ranges;
    ranges.reserve(within_.size());
    for (const std::string& text : within_) ranges.push_back(parse_range(text));
    std::vector<StoredSurface> surfaces;
    const auto frames = grids_of_frames(root, result);
    for (const std::string& text : surfaces_) {
        const Level level = parse_level(text);
        for (const auto& frame : frames) {
            const std::size_t own = frame->index_of(level.label, "--surface");
            for (const Range& range : ranges) frame->index_of(range.label, "--surface-within");
            const StoredGrid& stored = frame->grids[own];
            if (std::ranges::count(surfaces, stored.name, &StoredSurface::name) > 0)
                throw Error("--surface: " + stored.label + " is named twice",
                            "a grid has one surface in an export", "export it twice");
            const auto mesh = [frame, own, value = level.level, ranges] {
                return surface_with_values(*frame, own, value, ranges);
            };
            surfaces.push_back({mesh, stored.frame, stored.label, stored.name, level.level});
        }
    }
    return surfaces;
}

}  // namespace tessera::app
