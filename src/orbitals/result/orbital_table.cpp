// The orbitals of a result as a table (declared in report.hpp).
#include <algorithm>
#include <memory>

#include "core/units.hpp"
#include "orbitals/result/report.hpp"

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

}  // namespace tessera::orbitals
