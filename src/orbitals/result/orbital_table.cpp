// The orbitals of a result, and the potential at its points, as tables (declared in report.hpp).
#include <algorithm>
#include <limits>
#include <memory>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/hdf5/result_values.hpp"
#include "orbitals/result/report.hpp"
#include "orbitals/selection/density_field.hpp"

namespace tessera::orbitals {

io::ValueTable orbital_table(OrbitalResult result, std::int64_t most) {
    const std::int64_t shown = std::min(most, std::ssize(result.labels));
    using Kind = io::TableColumn::Kind;
    io::ValueTable table{{{"frame", Kind::whole},
                          {"label", Kind::text},
                          {"spin", Kind::text},
                          {"number", Kind::whole},
                          {"energy_hartree", Kind::real, "hartree"},
                          {"energy_ev", Kind::real, "eV"},
                          {"occupation"},
                          {"norm"}},
                         shown * std::ssize(result.frames),
                         {}};
    if (!result.symmetries.empty()) table.columns.push_back({"symmetry", Kind::text});
    const auto data = std::make_shared<const OrbitalResult>(std::move(result));
    table.row = [data, shown](std::int64_t row) {
        const auto frame = static_cast<std::size_t>(row / shown);
        const auto item = static_cast<std::size_t>(row % shown);
        const std::size_t at = frame * data->labels.size() + item;
        const double energy = data->energies[at];
        std::vector<io::Cell> cells{data->frames[frame],
                                    data->labels[item],
                                    data->spins[item],
                                    data->numbers[at],
                                    energy,
                                    energy * units::hartree_in_ev,
                                    data->occupations[at],
                                    data->norms[at]};
        if (!data->symmetries.empty()) cells.emplace_back(data->symmetries[at]);
        return cells;
    };
    return table;
}

io::ValueTable point_table(const io::h5::Group& root, std::int64_t most) {
    if (!root.contains("points"))
        throw Error("'" + root.file() + "' holds no points", "the run had no --points",
                    "run again with --esp --points FILE");
    struct Points {
        std::vector<std::int64_t> frames;
        std::vector<double> positions, values;
    };
    const io::h5::Group group = root.open_group("points");
    const io::h5::Shape stored = group.open_dataset("positions").shape();
    const std::uint64_t count = stored.empty() ? 0 : stored[0];
    const std::uint64_t frames = io::length_of(group, "frames");
    const auto data = std::make_shared<const Points>(
        Points{io::read_within<std::int64_t>(group, "frames", {frames}, 1,
                                             std::numeric_limits<int>::max()),
               io::read_finite(group, "positions", {count, 3}),
               io::read_finite(group, potential_name, {frames, count})});
    const std::int64_t shown = std::min(most, static_cast<std::int64_t>(count));
    using Kind = io::TableColumn::Kind;
    io::ValueTable table{{{"frame", Kind::whole},
                          {"point", Kind::whole},
                          {"x_bohr", Kind::real, "bohr"},
                          {"y_bohr", Kind::real, "bohr"},
                          {"z_bohr", Kind::real, "bohr"},
                          {potential_name, Kind::real, potential_units}},
                         shown * static_cast<std::int64_t>(frames),
                         {}};
    table.row = [data, shown, count](std::int64_t row) {
        const auto frame = static_cast<std::size_t>(row / shown);
        const auto point = static_cast<std::size_t>(row % shown);
        const double* const at = data->positions.data() + 3 * point;
        return std::vector<io::Cell>{data->frames[frame],
                                     static_cast<std::int64_t>(point + 1),
                                     at[0],
                                     at[1],
                                     at[2],
                                     data->values[frame * count + point]};
    };
    return table;
}

}  // namespace tessera::orbitals
