#include "docking/model/pair_potential.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "docking/model/jacobi.hpp"
#include "io/files/data_files.hpp"
#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/near_name.hpp"

namespace tessera::docking {
namespace {

constexpr double symmetry_tolerance = 1e-6;
constexpr double ace_scale = 0.6;
constexpr double largest_energy = 1e6;  // kcal/mol per contact, so that sums stay finite
const std::vector<std::string> built_in{"tessera", "ace"};
constexpr std::size_t largest_table = 256;  // a Jacobi sweep takes K^3 operations

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw Error("cannot read pair potential '" + path + "'", why,
                "give a table 'type,NAME1,...' with one row for each name");
}

std::string at_line(const io::CsvRow& row) { return "line " + std::to_string(row.line) + ": "; }

std::vector<std::string> names_of(const io::CsvRow& header, const std::string& path) {
    const std::vector<std::string> names(header.fields.begin() + 1, header.fields.end());
    if (header.fields.front() != "type" || names.empty())
        refuse(path, at_line(header) + "the header does not begin with 'type,'");
    if (names.size() > largest_table) refuse(path, at_line(header) + "more than 256 types");
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
        refuse(path, at_line(header) + "a type appears twice");
    return names;
}

void check_symmetric(const std::vector<double>& matrix, const std::vector<io::CsvRow>& rows,
                     const std::vector<std::string>& names, const std::string& path) {
    const std::size_t k = names.size();
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (std::abs(matrix[i * k + j] - matrix[j * k + i]) > symmetry_tolerance)
                refuse(path, at_line(rows[i + 1]) + "not symmetric, " + names[i] + "-" + names[j] +
                                 " differs from " + names[j] + "-" + names[i]);
}

}  // namespace

void decompose(PairPotential& potential) {
    const std::size_t k = potential.type_names.size();
    const JacobiState state = diagonalised(potential.matrix, k);
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        return std::abs(state.a[i * k + i]) > std::abs(state.a[j * k + j]);
    });
    potential.eigenvalues.assign(k, 0);
    potential.eigenvectors.assign(k * k, 0);
    for (std::size_t p = 0; p < k; ++p) {
        potential.eigenvalues[p] = state.a[order[p] * k + order[p]];
        double largest = 0;
        for (std::size_t t = 0; t < k; ++t)
            if (std::abs(state.v[t * k + order[p]]) > std::abs(largest))
                largest = state.v[t * k + order[p]];
        for (std::size_t t = 0; t < k; ++t)
            potential.eigenvectors[p * k + t] =
                std::copysign(1.0, largest) * state.v[t * k + order[p]];
    }
}

PairPotential parse_pair_potential(const io::TextSource& source, double scale) {
    const std::string& path = source.path;
    const std::vector<io::CsvRow> rows = io::parse_csv_table(source);
    PairPotential potential;
    potential.sha256 = source.sha256;
    potential.name = std::filesystem::path(path).stem().string();
    potential.type_names = names_of(rows.front(), path);
    const std::size_t k = potential.type_names.size();
    if (rows.size() != k + 1)
        refuse(path, io::counted(rows.size() - 1, "row") + " for " + io::counted(k, "type"));
    for (std::size_t i = 0; i < k; ++i) {
        const io::CsvRow& row = rows[i + 1];
        if (row.fields.size() != k + 1)
            refuse(path, at_line(row) + io::counted(row.fields.size() - 1, "number") + " for " +
                             io::counted(k, "type"));
        if (row.fields.front() != potential.type_names[i])
            refuse(path, at_line(row) + "row '" + row.fields.front() + "' where '" +
                             potential.type_names[i] + "' belongs");
        for (std::size_t j = 0; j < k; ++j) {
            potential.matrix.push_back(io::csv_number(row, j + 1, path));
            if (std::abs(potential.matrix.back()) > largest_energy)
                refuse(path, at_line(row) + "'" + row.fields[j + 1] + "' is beyond 1e6 kcal/mol");
        }
    }
    check_symmetric(potential.matrix, rows, potential.type_names, path);
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const double mean = 0.5 * (potential.matrix[i * k + j] + potential.matrix[j * k + i]);
            potential.matrix[i * k + j] = potential.matrix[j * k + i] = scale * mean;
        }
    decompose(potential);
    return potential;
}

PairPotential read_pair_potential(const std::string& path, double scale) {
    return parse_pair_potential(io::read_csv_text(path), scale);
}

bool is_built_in_potential(const std::string& name) {
    return std::ranges::find(built_in, name) != built_in.end();
}

double default_pair_scale(const std::string& name_or_path) {
    return name_or_path == "ace" ? ace_scale : 1.0;
}

PairPotential load_pair_potential(const std::string& name_or_path, double scale) {
    io::require_name_or_file("pair potential", name_or_path, built_in);
    if (name_or_path == "ace") return atomic_contact_energies(scale);
    if (!is_built_in_potential(name_or_path)) return read_pair_potential(name_or_path, scale);
    return read_pair_potential(io::data_file("potentials/" + name_or_path + ".csv"), scale);
}

PairPotential atomic_contact_energies(double scale) {
    PairPotential potential = read_pair_potential(io::data_file("potentials/ace.csv"), scale);
    potential.name = "ACE";
    return potential;
}

}  // namespace tessera::docking
