#include "docking/refinement/statistical_potential.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "io/files/data_files.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::docking {

namespace {

constexpr double table_unit = 0.01;  // nats

[[noreturn]] void refuse(const std::string& path, int line, const std::string& why) {
    throw Error("cannot read statistical potential '" + path + "'",
                "line " + std::to_string(line) + ": " + why,
                "give a table as potentials/derive_statistical_potential writes it");
}

std::vector<double> numbers_from(const io::CsvRow& row, std::size_t first,
                                 const std::string& path) {
    std::vector<double> numbers;
    for (std::size_t field = first; field < row.fields.size(); ++field)
        numbers.push_back(io::csv_number(row, field, path));
    return numbers;
}

using Rows = std::vector<const io::CsvRow*>;

/// The rows of a kind of table: first that of the ends.
Rows rows_of(const std::string& name, const std::vector<io::CsvRow>& all, const std::string& path) {
    Rows rows;
    for (const io::CsvRow& row : all)
        if (row.fields.front() == name) rows.push_back(&row);
    if (rows.empty() || rows.front()->fields.size() < 3 || rows.front()->fields[1] != "ends")
        refuse(path, rows.empty() ? all.back().line : rows.front()->line,
               "the first row of '" + name + "' does not hold the ends of the bins");
    return rows;
}

DistanceTable table_of(const std::string& name, const std::vector<io::CsvRow>& all,
                       const std::string& path) {
    const Rows rows = rows_of(name, all, path);
    DistanceTable table;
    table.ends = numbers_from(*rows.front(), 2, path);
    if (table.ends.front() <= 0 ||
        std::ranges::adjacent_find(table.ends, std::ranges::greater_equal{}) != table.ends.end())
        refuse(path, rows.front()->line, "the ends of the bins do not ascend");
    const std::size_t bins = table.ends.size();
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
        if ((*row)->fields.size() != bins + 3)
            refuse(path, (*row)->line, "it does not have a number for each bin");
        for (int place : {1, 2})
            table.kinds.emplace((*row)->fields[place], static_cast<int>(table.kinds.size()));
    }
    const std::size_t kinds = table.kinds.size();
    table.energies.resize(kinds * kinds * bins);
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
        const std::size_t a = table.kinds.at((*row)->fields[1]);
        const std::size_t b = table.kinds.at((*row)->fields[2]);
        const std::vector<double> energies = numbers_from(**row, 3, path);
        for (std::size_t bin = 0; bin < bins; ++bin)
            table.energies[(a * kinds + b) * bins + bin] =
                table.energies[(b * kinds + a) * bins + bin] =
                    static_cast<float>(table_unit * energies[bin]);
    }
    return table;
}

}  // namespace

StatisticalPotential parse_statistical_potential(const io::TextSource& source) {
    const std::vector<io::CsvRow> rows = io::parse_csv_table(source);
    return {table_of("atoms", rows, source.path), table_of("residues", rows, source.path)};
}

const StatisticalPotential& statistical_potential() {
    static const StatisticalPotential potential =
        parse_statistical_potential(io::read_csv_text(io::data_file("potentials/statistical.csv")));
    return potential;
}

StatisticalEnergy::Sites StatisticalEnergy::atoms_of(const io::Structure& structure, Vec3 center,
                                                     const DistanceTable& table) {
    Sites sites;
    for (const io::AtomRecord& atom : structure.atoms) {
        const auto kind = table.kinds.find(atom.residue + " " + atom.name);
        if (atom.hetero || kind == table.kinds.end()) continue;
        sites.kinds.push_back(kind->second);
        sites.positions.push_back(atom.position - center);
    }
    return sites;
}

StatisticalEnergy::Sites StatisticalEnergy::residues_of(const io::Structure& structure, Vec3 center,
                                                        const DistanceTable& table) {
    Sites sites;
    for (const io::AtomRecord& atom : structure.atoms) {
        if (atom.hetero || atom.name != (atom.residue == "GLY" ? "CA" : "CB")) continue;
        const auto kind = table.kinds.find(atom.residue);
        if (kind == table.kinds.end()) continue;
        sites.kinds.push_back(kind->second);
        sites.positions.push_back(atom.position - center);
    }
    return sites;
}

StatisticalEnergy::Pairs StatisticalEnergy::pairs(const DistanceTable& table, double near_end,
                                                  Sites receptor, Sites ligand) {
    return {table, near_end, std::move(receptor.kinds), std::move(ligand),
            NearAtoms(std::move(receptor.positions), table.ends.back())};
}

StatisticalEnergy::StatisticalEnergy(const io::Structure& receptor, const io::Structure& ligand,
                                     Vec3 ligand_center, const StatisticalPotential& potential)
    : atoms_(pairs(potential.atoms, near_atoms_end, atoms_of(receptor, {}, potential.atoms),
                   atoms_of(ligand, ligand_center, potential.atoms))),
      residues_(pairs(potential.residues, near_residues_end,
                      residues_of(receptor, {}, potential.residues),
                      residues_of(ligand, ligand_center, potential.residues))) {}

std::array<double, 2> StatisticalEnergy::sums(const Pairs& pairs, const kernels::RigidPose& pose) {
    const Matrix3 rotation = pose.rotation.matrix();
    const std::vector<double>& ends = pairs.table.ends;
    const std::size_t kinds = pairs.table.kinds.size(), bins = ends.size();
    const double reach = ends.back() * ends.back();
    std::array<double, 2> sums{};
    for (std::size_t j = 0; j < pairs.ligand.kinds.size(); ++j) {
        const float* row = &pairs.table.energies[pairs.ligand.kinds[j] * kinds * bins];
        pairs.near.for_each(
            rotation * pairs.ligand.positions[j] + pose.translation, [&](int i, double square) {
                if (square >= reach) return;
                const double distance = std::sqrt(square);
                const auto bin = std::ranges::upper_bound(ends, distance) - ends.begin();
                sums[distance < pairs.near_end ? 0 : 1] +=
                    row[pairs.receptor_kinds[i] * bins + bin];
            });
    }
    return sums;
}

StatisticalTerms StatisticalEnergy::terms(const kernels::RigidPose& pose) const {
    const auto atoms = sums(atoms_, pose), residues = sums(residues_, pose);
    return {atoms[0], atoms[1], residues[0], residues[1]};
}

}  // namespace tessera::docking
