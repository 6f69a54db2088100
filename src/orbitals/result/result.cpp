#include "orbitals/result/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "io/hdf5/grid_pack.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/result/combination_file.hpp"
#include "orbitals/result/density_error.hpp"
#include "orbitals/result/stored_fields.hpp"
#include "orbitals/selection/symmetry.hpp"

namespace tessera::orbitals {

namespace {

using io::h5::Group;

/// Norms and integrals are sums over tiles in tile order, times the volume of a cell. The other
/// members tell which orbitals, or how many for a density, were computed in double precision.
struct Integrals {
    std::vector<double> norms;
    std::vector<double> overlaps;  // [frame, orbital, orbital], or empty
    std::vector<std::int8_t> in_double;
    struct Density {
        std::vector<double> integral;
        std::vector<std::int32_t> in_double;
    };
    Density density, spin, mean;  // of each frame; `mean`: what the mean is made of
    Density combinations;         // [frame, combination]
};

/// Adds up the sums of all tiles.
class IntegralSums {
  public:
    IntegralSums(std::size_t frames, std::size_t items, std::size_t combinations, bool of_overlaps)
        : items_(items),
          all_combinations_(combinations),
          norms_(frames * items),
          density_(frames),
          spin_(frames),
          mean_(frames),
          overlaps_(of_overlaps ? frames * items * items : 0),
          combinations_(frames * combinations) {
        found_.combinations.in_double.resize(combinations_.size());
        found_.in_double.resize(norms_.size());
        for (auto* density : {&found_.density, &found_.spin, &found_.mean})
            density->in_double.resize(frames);
    }

    void add(const OrbitalSum& record) {
        const auto frame = static_cast<std::size_t>(record.frame);
        const auto item = static_cast<std::size_t>(record.item);
        const auto add_to = [&](std::size_t place, Sums& sums, Integrals::Density& found) {
            sums[place].add(record.sum);
            found.in_double[place] = record.in_double;
        };
        switch (record.kind) {
            case TileKind::density: return add_to(frame, density_, found_.density);
            case TileKind::spin_density: return add_to(frame, spin_, found_.spin);
            case TileKind::mean_density: return add_to(frame, mean_, found_.mean);
            case TileKind::combination:
                return add_to(frame * all_combinations_ + item, combinations_, found_.combinations);
            case TileKind::overlaps: return add_overlap(frame, item, record);
            case TileKind::fields:
                return;  // its sums mean nothing: cusps are too narrow for a grid
            default: break;
        }
        norms_[frame * items_ + item].add(record.sum);
        found_.in_double[frame * items_ + item] = static_cast<std::int8_t>(record.in_double);
    }

    /// `cell`: volume of a cell of the grid.
    Integrals finish(double cell) {
        const auto times_cell = [&](const Sums& sums) {
            std::vector<double> values;
            for (const auto& sum : sums) values.push_back(sum.result() * cell);
            return values;
        };
        found_.norms = times_cell(norms_);
        found_.density.integral = times_cell(density_);
        found_.spin.integral = times_cell(spin_);
        found_.mean.integral = times_cell(mean_);
        found_.overlaps = times_cell(overlaps_);
        found_.combinations.integral = times_cell(combinations_);
        return std::move(found_);
    }

  private:
    using Sums = std::vector<CompensatedSum<double>>;

    void add_overlap(std::size_t frame, std::size_t item, const OrbitalSum& record) {
        const std::size_t row = item / items_, column = item % items_;
        overlaps_[(frame * items_ + row) * items_ + column].add(record.sum);
        if (row != column) overlaps_[(frame * items_ + column) * items_ + row].add(record.sum);
    }

    std::size_t items_, all_combinations_;
    Sums norms_, density_, spin_, mean_, overlaps_, combinations_;
    Integrals found_;
};

Integrals combine(const PreparedOrbitals& prepared, bool of_overlaps,
                  const std::vector<TilePartial<OrbitalSum>>& partials) {
    IntegralSums sums(prepared.frames.size(), prepared.selection.size(),
                      prepared.combinations.size(), of_overlaps);
    for (const auto& partial : partials)
        for (const OrbitalSum& record : partial.records) sums.add(record);
    const Vec3 step = prepared.grid.spacing;
    return sums.finish(step.x * step.y * step.z);
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
        if (!frame.wavefunction.lattice) continue;
        std::vector<double> cell;
        for (const Vec3& v : frame.wavefunction.lattice->vectors)
            cell.insert(cell.end(), {v.x, v.y, v.z});
        group.write("cell", cell, {3, 3}, {"bohr", {}, 0});
    }
}

/// Writes the positions of the points. Every group of grids has its own copy, so that it explains
/// itself.
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
                    const Integrals& integrals) {
    std::vector<std::string> labels, spins, symmetries;
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
            symmetries.push_back(io::one_line(orbital.symmetry, 40));
            numbers.push_back(item.orbital + 1);
            signs.push_back(static_cast<std::int8_t>(item.sign));
            overlaps.push_back(item.overlap);
        }
    const io::h5::Shape shape{prepared.frames.size(), prepared.selection.size()};
    const auto of_file = [](const OrbitalFrame& frame) { return has_symmetry(frame.wavefunction); };
    if (std::ranges::any_of(prepared.frames, of_file))
        group.write_strings("symmetries", symmetries, shape);
    group.write_attribute("precision", input.double_precision ? "double" : "single");
    group.write_attribute("tolerance", input.tolerance);
    group.write_strings("labels", labels);
    group.write_strings("spins", spins);
    group.write("energies", energies, shape, {"hartree", {}, 0});
    group.write("occupations", occupations, shape);
    group.write("numbers", numbers, shape);
    group.write("norm", integrals.norms, shape);
    group.write("computed_in_double", integrals.in_double, shape);
    if (input.overlap_matrix)
        group.write("overlap_matrix", integrals.overlaps, {shape[0], shape[1], shape[1]});
    if (!input.track) return;
    group.write("signs", signs, shape);
    group.write("overlaps", overlaps, shape);
}

template <class Real>
void write_mean_values(Group& root, const io::GridSpec& spec, const std::vector<Real>& values) {
    if (spec.deflate == 0) {
        const io::h5::Shape shape(spec.shape.rbegin(), spec.shape.rend());
        root.group("mean_density").write("values", values, shape, {spec.units, {}, 0});
        return;
    }
    io::create_grid(root, spec);
    std::vector<std::byte> packed;
    io::pack_blocks({spec}, {{0, 0, 1, 0, spec.shape[2]}}, std::as_bytes(std::span(values)).data(),
                    io::pack_threads(), packed);
    io::write_packed(root, {spec}, packed);
    if (spec.largest_error > 0) io::note_rounding(root, spec.name, spec.largest_error);
}

void write_mean(Group& root, const io::GridSpec& spec, const std::vector<double>& mean) {
    if (spec.double_precision)
        write_mean_values(root, spec, mean);
    else
        write_mean_values(root, spec, std::vector<float>(mean.begin(), mean.end()));
}

/// Writes what the density would integrate to, and what the grid misses at the nuclei.
void write_expected_density(Group& root, const PreparedOrbitals& prepared) {
    std::vector<double> electrons, core_errors;
    for (const OrbitalFrame& frame : prepared.frames) {
        const auto weights = density_weights(frame.wavefunction, false);
        CompensatedSum<double> sum;
        for (const double weight : weights) sum.add(weight);
        electrons.push_back(sum.result());
        core_errors.push_back(core_grid_error(frame.wavefunction, weights, prepared.grid));
    }
    Group density = root.open_group("density");
    density.write("electrons", electrons, {"electrons", {}, 0});
    density.write("core_grid_error", core_errors, {"electrons", {}, 0});
}

}  // namespace

void write_orbital_result(Group root, const OrbitalInput& input, const PreparedOrbitals& prepared,
                          const std::vector<TilePartial<OrbitalSum>>& partials,
                          const std::vector<double>& mean) {
    const Integrals integrals = combine(prepared, input.overlap_matrix, partials);
    write_geometry(root, prepared);
    Group orbitals = root.group("orbitals");
    write_grid(orbitals, prepared);
    write_orbitals(orbitals, input, prepared, integrals);
    const auto write_density = [&](const std::string& name, const Integrals::Density& density) {
        Group group = root.group(name);
        write_grid(group, prepared);
        group.write("integral", density.integral, {"electrons", {}, 0});
        group.write("orbitals_in_double", density.in_double);
    };
    if (input.density) {
        write_density("density", integrals.density);
        write_expected_density(root, prepared);
    }
    if (input.spin_density) write_density("spin_density", integrals.spin);
    if (!prepared.density_fields.empty() || prepared.potential) {
        Group fields = root.group("fields");
        write_grid(fields, prepared);
    }
    if (!prepared.combinations.empty()) {
        Group combinations = root.group("combinations");
        write_grid(combinations, prepared);
        combinations.write_attribute("tolerance", input.tolerance);
        write_combinations(combinations, prepared, integrals.combinations.integral,
                           integrals.combinations.in_double);
    }
    if (!input.mean_density) return;
    write_density("mean_density", integrals.mean);
    write_mean(root, mean_density_spec(input, prepared.grid.shape), mean);
}

}  // namespace tessera::orbitals
