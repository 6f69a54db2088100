#include "orbitals/result/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "io/files/file_name.hpp"
#include "io/hdf5/result_values.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/result/density_error.hpp"
#include "orbitals/result/grid_surface.hpp"
#include "orbitals/result/stored_fields.hpp"
#include "orbitals/selection/density_field.hpp"
#include "orbitals/tiles/grid.hpp"

namespace tessera::orbitals {

using io::read_finite;
using io::h5::Group;

namespace {

Vec3 first_point(const std::vector<double>& values) { return {values[0], values[1], values[2]}; }

UniformGrid read_grid(const Group& orbitals, std::uint64_t frames) {
    constexpr auto most = static_cast<std::int64_t>(most_points);
    UniformGrid grid;
    grid.origin = first_point(read_finite(orbitals, "origin", {frames, 3}));
    grid.spacing = first_point(read_finite(orbitals, "spacing", {3}));
    const auto shape = io::read_within<std::int64_t>(orbitals, "shape", {3}, 1, most);
    std::ranges::copy(shape, grid.shape.begin());
    if (shape[0] > most / shape[1] || shape[0] * shape[1] > most / shape[2])
        orbitals.refuse("'/orbitals/shape'", "the grid has too many points");
    if (!(std::min({grid.spacing.x, grid.spacing.y, grid.spacing.z}) > 0))
        orbitals.refuse("'/orbitals/spacing'", "it is not positive");
    return grid;
}

/// The numbers of the frames, from 1, each once.
std::vector<std::int64_t> read_frames(const Group& orbitals) {
    const std::uint64_t count = io::length_of(orbitals, "frames");
    auto frames = io::read_within<std::int64_t>(orbitals, "frames", {count}, 1,
                                                std::numeric_limits<int>::max());
    if (frames.empty() || std::set(frames.begin(), frames.end()).size() != frames.size())
        orbitals.refuse("'/orbitals/frames'", "it is empty, or a frame appears twice");
    return frames;
}

std::vector<io::Nucleus> read_nuclei(const Group& frame) {
    const std::uint64_t count = io::length_of(frame, "atomic_numbers");
    const auto charges = io::read_shaped<std::int32_t>(frame, "atomic_numbers", {count});
    const auto positions = read_finite(frame, "positions", {count, 3});
    const auto symbols = io::read_shaped_texts(frame, "symbols", count);
    std::vector<io::Nucleus> nuclei;
    for (std::size_t i = 0; i < count; ++i)
        nuclei.push_back({symbols[i],
                          charges[i],
                          {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]}});
    return nuclei;
}

/// One number for each frame. Empty if the file has no such density or number.
std::vector<double> read_integrals(const Group& root, const std::string& density,
                                   std::uint64_t frames, const char* name = "integral") {
    if (!root.contains(density + "/" + name)) return {};
    return read_finite(root.open_group(density), name, {frames});
}

/// The isosurfaces of a frame that have no point.
std::vector<std::string> empty_surfaces(const Group& root, std::int64_t frame) {
    std::vector<std::string> names;
    const std::string place = fmt::format("isosurfaces/{}", frame);
    if (!root.contains(place)) return names;
    const Group surfaces = root.open_group(place);
    for (const std::string& name : surfaces.children()) {
        const std::string vertices = name + "/vertices";
        if (!surfaces.contains(vertices)) continue;
        const io::h5::Shape shape = surfaces.open_dataset(vertices).shape();
        if (!shape.empty() && shape[0] == 0) names.push_back(name);
    }
    return names;
}

}  // namespace

OrbitalResult read_without_nuclei(const Group& root) {
    OrbitalResult result;
    const Group orbitals = root.open_group("orbitals");
    result.frames = read_frames(orbitals);
    const std::uint64_t frames = result.frames.size();
    result.grid = read_grid(orbitals, frames);
    result.labels = io::read_shaped_texts(orbitals, "labels", io::length_of(orbitals, "labels"));
    for (const std::string& label : result.labels)
        io::require_file_name(root.file(), "orbital", label);
    result.spins = io::read_shaped_texts(orbitals, "spins", result.labels.size());
    const io::h5::Shape each{frames, result.labels.size()};
    result.numbers = io::read_within<std::int64_t>(orbitals, "numbers", each, 1,
                                                   std::numeric_limits<int>::max());
    if (orbitals.contains("symmetries"))
        result.symmetries = io::read_shaped_texts(orbitals, "symmetries", each);
    result.norms = read_finite(orbitals, "norm", each);
    result.in_cells = root.contains(fmt::format("frames/{}/cell", result.frames[0]));
    result.energies = read_finite(orbitals, "energies", each);
    result.occupations = read_finite(orbitals, "occupations", each);
    const auto in_double = io::read_within<std::int8_t>(orbitals, "computed_in_double", each, 0, 1);
    if (orbitals.read_attribute<std::string>("precision") == "single")
        result.rounded = std::ranges::count(in_double, 1);
    result.density_integrals = read_integrals(root, "density", frames);
    result.spin_integrals = read_integrals(root, "spin_density", frames);
    result.mean_integrals = read_integrals(root, "mean_density", frames);
    for (const DensityField& field : density_fields())
        if (root.contains(field_values(field.name))) result.fields.push_back(field.name);
    result.combinations = read_combinations(root, frames);
    const GridRounding rounding = read_rounding(root, grid_names(root, result));
    result.largest_error = rounding.largest_error;
    result.compression_ratio = rounding.compression_ratio;
    if (root.contains("points/positions"))
        if (const io::h5::Shape shape = root.open_dataset("points/positions").shape();
            !shape.empty())
            result.points = static_cast<std::int64_t>(shape[0]);
    result.empty_surfaces = empty_surfaces(root, result.frames[0]);
    result.density_electrons = read_integrals(root, "density", frames, "electrons");
    if (!result.density_electrons.empty())
        result.density_core_errors =
            read_finite(root.open_group("density"), "core_grid_error", {frames});
    return result;
}

OrbitalResult read_orbital_result(const Group& root) {
    OrbitalResult result = read_without_nuclei(root);
    for (const std::int64_t number : result.frames)
        result.nuclei.push_back(read_nuclei(root.open_group(fmt::format("frames/{}", number))));
    return result;
}

std::string report_table(const OrbitalResult& result, std::size_t rows) {
    std::string text;
    const auto symmetry = [&](const std::string& of_row) {
        return result.symmetries.empty() ? "" : fmt::format(" {:<10}", io::one_line(of_row, 20));
    };
    if (!result.labels.empty())
        text += fmt::format("{:<12}{} {:>16} {:>11} {:>12}\n", "orbital", symmetry("symmetry"),
                            "energy/hartree", "occupation", "norm");
    for (std::size_t i = 0; i < std::min(rows, result.labels.size()); ++i)
        text += fmt::format("{:<12}{} {:>16.6f} {:>11.4f} {:>12.8f}\n", result.labels[i],
                            result.symmetries.empty() ? "" : symmetry(result.symmetries[i]),
                            result.energies[i], result.occupations[i], result.norms[i]);
    if (result.labels.size() > rows)
        text += fmt::format("and {} more\n", result.labels.size() - rows);
    if (result.rounded > 0)
        text += fmt::format("computed in double precision and rounded, because single would lose "
                            "digits: {} of {}\n",
                            result.rounded, result.norms.size());
    if (!result.density_integrals.empty())
        text += fmt::format("density: {:.6f} electrons in the box\n", result.density_integrals[0]);
    if (result.in_cells && !result.density_electrons.empty())
        text += fmt::format("  the orbitals hold {:.6f} in a cell, which --grid cell spans\n",
                            result.density_electrons[0]);
    else if (!result.density_electrons.empty() && !result.density_integrals.empty())
        text += explained_integral(result.density_integrals[0], result.density_electrons[0],
                                   result.density_core_errors[0]);
    if (!result.spin_integrals.empty())
        text += fmt::format("spin density: {:.6f} unpaired electrons in the box\n",
                            result.spin_integrals[0]);
    if (!result.fields.empty())
        text += fmt::format("derived fields: {}\n", fmt::join(result.fields, ", "));
    text += combination_lines(result.combinations);
    if (result.points > 0)
        text += fmt::format("electrostatic potential at {}\n", io::counted(result.points, "point"));
    if (const auto& each = result.mean_integrals; !each.empty())
        text += fmt::format(
            "mean density of {}: {:.6f} electrons in the box\n", io::counted(each.size(), "frame"),
            std::accumulate(each.begin(), each.end(), 0.0) / static_cast<double>(each.size()));
    for (const std::string& name : result.empty_surfaces)
        text += fmt::format("{}: its isosurface is empty, because {}\n", io::one_line(name, 40),
                            is_flat(result.grid)
                                ? "the grid is flat; it needs two points along each axis"
                                : "no value on the grid reaches the level; a lower level helps");
    if (result.largest_error > 0)
        text += fmt::format("grids: stored within {:g} of the computed values, {:.1f} times "
                            "smaller\n",
                            result.largest_error, result.compression_ratio);
    if (result.frames.size() > 1)
        text += fmt::format("frame {} of {} shown\n", result.frames[0], result.frames.size());
    return text;
}

}  // namespace tessera::orbitals
