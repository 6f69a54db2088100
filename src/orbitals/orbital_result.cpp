#include "orbitals/orbital_result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace tessera::orbitals {

namespace {

using io::h5::Group;

/// Norms and integrals: sums over tiles in tile order, times the volume of a cell.
struct Integrals {
    std::vector<double> norms, density, spin;
};

Integrals combine(const PreparedOrbitals& prepared,
                  const std::vector<TilePartial<OrbitalSum>>& partials) {
    const std::size_t frames = prepared.frames.size(), items = prepared.selection.size();
    std::vector<CompensatedSum<double>> norms(frames * items), density(frames), spin(frames);
    for (const auto& partial : partials)
        for (const OrbitalSum& record : partial.records) {
            const auto frame = static_cast<std::size_t>(record.frame);
            if (record.kind == TileKind::orbitals)
                norms[frame * items + static_cast<std::size_t>(record.item)].add(record.sum);
            else
                (record.kind == TileKind::density ? density : spin)[frame].add(record.sum);
        }
    const Vec3 step = prepared.grid.spacing;
    const double cell = step.x * step.y * step.z;
    const auto finish = [&](const std::vector<CompensatedSum<double>>& sums) {
        std::vector<double> values;
        for (const auto& sum : sums) values.push_back(sum.result() * cell);
        return values;
    };
    return {finish(norms), finish(density), finish(spin)};
}

void write_geometry(Group& root, const PreparedOrbitals& prepared) {
    for (const OrbitalFrame& frame : prepared.frames) {
        Group group = root.group(fmt::format("frames/{}", frame.number));
        std::vector<double> positions;
        std::vector<std::int32_t> charges;
        std::vector<std::string> symbols;
        for (const io::Nucleus& nucleus : frame.wavefunction.nuclei) {
            positions.insert(positions.end(),
                             {nucleus.position.x, nucleus.position.y, nucleus.position.z});
            charges.push_back(nucleus.charge);
            symbols.push_back(nucleus.symbol);
        }
        group.write_attribute("file", frame.wavefunction.path);
        group.write_attribute("title", frame.wavefunction.title);
        group.write("positions", positions, {charges.size(), 3}, {"bohr", {}, 0});
        group.write("atomic_numbers", charges);
        group.write_strings("symbols", symbols);
    }
}

/// Where the points lie; beside every family of grids, so that each explains itself.
void write_grid(Group& group, const PreparedOrbitals& prepared) {
    const UniformGrid& grid = prepared.grid;
    std::vector<double> origins;
    std::vector<std::int64_t> numbers;
    for (const OrbitalFrame& frame : prepared.frames) {
        origins.insert(origins.end(), {grid.origin.x, grid.origin.y, grid.origin.z});
        numbers.push_back(frame.number);
    }
    group.write("origin", origins, {prepared.frames.size(), 3}, {"bohr", {}, 0});
    group.write("spacing", std::vector<double>{grid.spacing.x, grid.spacing.y, grid.spacing.z},
                {"bohr", {}, 0});
    group.write("shape", std::vector<std::int64_t>(grid.shape.begin(), grid.shape.end()));
    group.write("frames", numbers);
}

void write_orbitals(Group& group, const OrbitalInput& input, const PreparedOrbitals& prepared,
                    const std::vector<double>& norms) {
    std::vector<std::string> labels, spins;
    for (const SelectedOrbital& item : prepared.selection) {
        labels.push_back(item.label);
        spins.push_back(item.spin == io::Spin::alpha ? "alpha" : "beta");
    }
    std::vector<double> energies, occupations, overlaps;
    std::vector<std::int64_t> numbers;
    std::vector<std::int8_t> signs;
    for (const OrbitalFrame& frame : prepared.frames)
        for (const TrackedOrbital& item : frame.items) {
            const auto& orbital =
                frame.wavefunction.orbitals[static_cast<std::size_t>(item.orbital)];
            energies.push_back(orbital.energy);
            occupations.push_back(orbital.occupation);
            numbers.push_back(item.orbital + 1);
            signs.push_back(static_cast<std::int8_t>(item.sign));
            overlaps.push_back(item.overlap);
        }
    const io::h5::Shape shape{prepared.frames.size(), prepared.selection.size()};
    group.write_attribute("precision", input.double_precision ? "double" : "single");
    group.write_attribute("tolerance", input.tolerance);
    group.write_strings("labels", labels);
    group.write_strings("spins", spins);
    group.write("energies", energies, shape, {"hartree", {}, 0});
    group.write("occupations", occupations, shape);
    group.write("numbers", numbers, shape);
    group.write("norm", norms, shape);
    if (!input.track) return;
    group.write("signs", signs, shape);
    group.write("overlaps", overlaps, shape);
}

template <class T>
std::span<const T> flat(std::span<const std::array<T, 3>> rows) {
    return {rows.empty() ? nullptr : rows[0].data(), rows.size() * 3};
}

}  // namespace

GridOutput grids_of(const OrbitalInput& input, const PreparedOrbitals& prepared) {
    GridOutput output;
    if (!input.grids) return output;
    const auto frames = static_cast<std::int64_t>(prepared.frames.size());
    const auto items = static_cast<std::int64_t>(prepared.selection.size());
    const auto add = [&](const std::string& name, std::vector<std::int64_t> leading,
                         std::int64_t orbitals, const std::string& units) {
        io::GridSpec spec{name, std::move(leading), prepared.grid.shape};
        spec.chunk_planes = choose_tile_shape(orbitals, prepared.grid.shape).planes;
        spec.double_precision = input.double_precision;
        spec.deflate = input.deflate;
        spec.units = units;
        // A compressed chunk is read as a whole: smaller ones then, several a tile.
        constexpr std::size_t most_bytes = std::size_t{1} << 22;
        while (spec.deflate > 0 && spec.chunk_planes % 2 == 0 &&
               static_cast<std::size_t>(spec.chunk_planes) * spec.plane_bytes() > most_bytes)
            spec.chunk_planes /= 2;
        output.specs.push_back(std::move(spec));
        return static_cast<int>(output.specs.size()) - 1;
    };
    if (items > 0)
        output.targets.orbitals = add("/orbitals/values", {frames, items}, items, "bohr^-3/2");
    if (input.density) output.targets.density = add("/density/values", {frames}, 1, "bohr^-3");
    if (input.spin_density)
        output.targets.spin_density = add("/spin_density/values", {frames}, 1, "bohr^-3");
    return output;
}

void write_orbital_result(Group root, const OrbitalInput& input, const PreparedOrbitals& prepared,
                          const std::vector<TilePartial<OrbitalSum>>& partials) {
    const Integrals integrals = combine(prepared, partials);
    write_geometry(root, prepared);
    Group orbitals = root.group("orbitals");
    write_grid(orbitals, prepared);
    write_orbitals(orbitals, input, prepared, integrals.norms);
    const auto write_density = [&](const std::string& name, const std::vector<double>& integral) {
        Group group = root.group(name);
        write_grid(group, prepared);
        group.write("integral", integral, {"electrons", {}, 0});
    };
    if (input.density) write_density("density", integrals.density);
    if (input.spin_density) write_density("spin_density", integrals.spin);
}

void write_surface(Group root, const OrbitalInput& input, const PreparedOrbitals& prepared,
                   std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view) {
    const std::string name =
        fmt::format("isosurfaces/{}/{}", prepared.frames[static_cast<std::size_t>(frame)].number,
                    prepared.selection[static_cast<std::size_t>(item)].label);
    if (root.contains(name)) return;  // an orbital asked for twice has one surface
    Group group = root.group(name);
    group.write_attribute("isovalue", input.isosurface);
    group.write_attribute("positive_vertices", view.positive_vertices);
    group.write_attribute("positive_triangles", view.positive_triangles);
    group.write("vertices", flat(view.vertices), {view.vertices.size(), 3}, {"bohr", {}, 0});
    group.write("normals", flat(view.normals), {view.normals.size(), 3});
    group.write("triangles", flat(view.triangles), {view.triangles.size(), 3});
}

OrbitalResult read_orbital_result(const Group& root) {
    OrbitalResult result;
    const Group orbitals = root.open_group("orbitals");
    const auto reals = [&](const Group& group, const char* name) {
        return group.open_dataset(name).read<double>().values;
    };
    result.frames = orbitals.open_dataset("frames").read<std::int64_t>().values;
    result.labels = orbitals.open_dataset("labels").read_strings();
    result.norms = reals(orbitals, "norm");
    result.energies = reals(orbitals, "energies");
    result.occupations = reals(orbitals, "occupations");
    const auto origin = reals(orbitals, "origin"), spacing = reals(orbitals, "spacing");
    const auto shape = orbitals.open_dataset("shape").read<std::int64_t>().values;
    const std::size_t cells = result.frames.size() * result.labels.size();
    if (result.frames.empty() || origin.size() != 3 * result.frames.size() || spacing.size() != 3 ||
        shape.size() != 3 || result.norms.size() != cells || result.energies.size() != cells ||
        result.occupations.size() != cells)
        throw Error("'" + root.file() + "' does not fit together",
                    "frames, labels and norms differ in number",
                    "check that the file is Tessera's");
    result.grid.origin = {origin[0], origin[1], origin[2]};
    result.grid.spacing = {spacing[0], spacing[1], spacing[2]};
    std::ranges::copy(shape, result.grid.shape.begin());
    for (const std::int64_t number : result.frames) {
        const Group frame = root.open_group(fmt::format("frames/{}", number));
        const auto positions = reals(frame, "positions");
        const auto charges = frame.open_dataset("atomic_numbers").read<std::int32_t>().values;
        const auto symbols = frame.open_dataset("symbols").read_strings();
        if (positions.size() != 3 * charges.size() || symbols.size() != charges.size())
            throw Error("'" + root.file() + "' does not fit together",
                        "atoms and positions differ in number", "check that the file is Tessera's");
        std::vector<io::Nucleus> nuclei;
        for (std::size_t i = 0; i < charges.size(); ++i)
            nuclei.push_back({symbols[i],
                              charges[i],
                              {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]}});
        result.nuclei.push_back(std::move(nuclei));
    }
    if (root.contains("density/integral"))
        result.density_integrals = reals(root.open_group("density"), "integral");
    if (root.contains("spin_density/integral"))
        result.spin_integrals = reals(root.open_group("spin_density"), "integral");
    return result;
}

std::string report_table(const OrbitalResult& result, std::size_t rows) {
    std::string text;
    if (!result.labels.empty())
        text += fmt::format("{:<12} {:>16} {:>11} {:>12}\n", "orbital", "energy/hartree",
                            "occupation", "norm");
    for (std::size_t i = 0; i < std::min(rows, result.labels.size()); ++i)
        text += fmt::format("{:<12} {:>16.6f} {:>11.4f} {:>12.8f}\n", result.labels[i],
                            result.energies[i], result.occupations[i], result.norms[i]);
    if (result.labels.size() > rows)
        text += fmt::format("and {} more\n", result.labels.size() - rows);
    if (!result.density_integrals.empty())
        text += fmt::format("density: {:.6f} electrons in the box\n", result.density_integrals[0]);
    if (!result.spin_integrals.empty())
        text += fmt::format("spin density: {:.6f} unpaired electrons in the box\n",
                            result.spin_integrals[0]);
    if (result.frames.size() > 1)
        text += fmt::format("frame {} of {} shown\n", result.frames[0], result.frames.size());
    return text;
}

}  // namespace tessera::orbitals
