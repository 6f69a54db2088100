#include "orbitals/tiles/transition_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

struct Row {
    int line = 0;
    std::vector<double> values;
};

[[noreturn]] void fail(const std::string& path, int line, const std::string& why) {
    throw Error(fmt::format("cannot read the transition density '{}'", io::one_line(path)),
                fmt::format("line {} {}", line, why),
                "write a row of the matrix into each line, as numpy.savetxt does");
}

std::vector<Row> rows_of(const io::TextSource& source, const std::string& path) {
    std::vector<Row> rows;
    for (const io::CsvRow& row : io::parse_csv_table(source)) {
        Row& to = rows.emplace_back(Row{row.line, {}});
        for (const std::string& word : io::csv_words(row)) {
            const auto number = real_number(word);
            if (!number)
                fail(path, row.line, "has '" + io::one_line(word, 20) + "', which is no number");
            to.values.push_back(*number);
        }
    }
    return rows;
}

Matrix matrix_of(const std::vector<Row>& rows, std::size_t first, std::size_t end,
                 const std::string& path) {
    Matrix matrix{end - first, rows[first].values.size(), {}};
    for (std::size_t i = first; i < end; ++i) {
        const std::vector<double>& values = rows[i].values;
        if (values.size() != matrix.columns)
            fail(path, rows[i].line,
                 fmt::format("has {}, not {}", io::counted(values.size(), "number"),
                             matrix.columns));
        matrix.values.insert(matrix.values.end(), values.begin(), values.end());
    }
    return matrix;
}

/// Where the matrix of beta orbitals begins: behind all alpha orbitals, or the occupied ones.
std::size_t rows_of_alpha(std::size_t rows, const io::Wavefunction& frame) {
    const auto count = [&](bool only_occupied) {
        return static_cast<std::size_t>(
            std::ranges::count_if(frame.orbitals, [&](const io::MolecularOrbital& one) {
                return one.spin == io::Spin::alpha && (!only_occupied || one.occupation > 0);
            }));
    };
    return rows == frame.orbitals.size() ? count(false) : count(true);
}

}  // namespace

TransitionFile read_transition_file(const std::string& path, const io::Wavefunction& frame) {
    const io::TextSource source = io::read_csv_text(path);
    const std::vector<Row> rows = rows_of(source, path);
    TransitionFile file{{"'" + io::one_line(path) + "'", {}}, source.sha256};
    std::size_t end = rows.size();
    if (std::ranges::count(frame.orbitals, io::Spin::beta, &io::MolecularOrbital::spin) > 0)
        end = std::min(end, rows_of_alpha(rows.size(), frame));
    if (end > 0) file.matrices.spins.push_back(matrix_of(rows, 0, end, path));
    if (end < rows.size()) file.matrices.spins.push_back(matrix_of(rows, end, rows.size(), path));
    return file;
}

}  // namespace tessera::orbitals
