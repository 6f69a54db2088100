#include "docking/search/rotation_set.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "docking/search/relax_rotations.hpp"
#include "io/files/data_files.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_lines.hpp"

namespace tessera::docking {
namespace {

constexpr double unit_tolerance = 1e-3;

/// The size limit allows 10^7 matrices of nine numbers.
constexpr io::InputKind rotation_file{"rotation file", "give one rotation on each line",
                                      std::size_t{2} << 30, "give up to 10000000 rotations"};

/// A line of a rotation file and its position, for messages.
struct Line {
    std::string where;  ///< "file:line"
    std::vector<double> columns;
};

/// Splits the text at blanks and commas. Throws Error for a column that is not a finite number.
std::vector<double> parse_columns(std::string_view text, const std::string& where) {
    std::vector<double> columns;
    constexpr std::string_view separators = " \t\r,";
    std::size_t begin = text.find_first_not_of(separators);
    while (begin != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const std::string_view digits = word.substr(word.front() == '+' ? 1 : 0);
        double value = 0;
        const auto [stop, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || stop != digits.data() + digits.size() || !std::isfinite(value))
            throw Error(where + ": cannot read a rotation",
                        "\"" + io::one_line(word, 40) + "\" is not a finite number",
                        "give 4 columns (w x y z) or 9 or 10 columns (a 3x3 matrix) of numbers");
        columns.push_back(value);
        begin = text.find_first_not_of(separators, end);
    }
    return columns;
}

Quaternion quaternion_from(const Line& line) {
    const auto& c = line.columns;
    const Quaternion q{c[0], c[1], c[2], c[3]};
    const double length = q.length();
    if (std::abs(length - 1) > unit_tolerance)
        throw Error(line.where + ": not a unit quaternion",
                    "its length is " + std::to_string(length),
                    "give w x y z with w^2 + x^2 + y^2 + z^2 = 1");
    return {q.w / length, q.x / length, q.y / length, q.z / length};
}

/// The largest deviation of m m^T from the identity.
double orthogonality_error(const Matrix3& m) {
    double worst = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double product = m[i][0] * m[j][0] + m[i][1] * m[j][1] + m[i][2] * m[j][2];
            worst = std::max(worst, std::abs(product - (i == j ? 1 : 0)));
        }
    return worst;
}

double determinant(const Matrix3& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

Quaternion quaternion_from_matrix(const Line& line) {
    const std::size_t first = line.columns.size() - 9;  // after the index, if there is one
    Matrix3 m;
    for (std::size_t i = 0; i < 9; ++i) m[i / 3][i % 3] = line.columns[first + i];
    if (orthogonality_error(m) > 2 * unit_tolerance)
        throw Error(line.where + ": not a rotation matrix", "its rows are not orthonormal to 1e-3",
                    "give the nine elements row by row");
    if (determinant(m) < 0)
        throw Error(line.where + ": not a rotation matrix", "it is a reflection, determinant -1",
                    "give proper rotations only");
    const Quaternion q = quaternion_of(m);
    const double length = q.length();
    return {q.w / length, q.x / length, q.y / length, q.z / length};
}

Quaternion rotation_from(const Line& line, std::size_t expected_columns) {
    const std::size_t columns = line.columns.size();
    if (columns != 4 && columns != 9 && columns != 10)
        throw Error(line.where + ": cannot read a rotation",
                    "it has " + io::counted(columns, "column"),
                    "give 4 (w x y z), 9 (a 3x3 matrix by rows) or 10 (index and matrix)");
    if (columns != expected_columns)
        throw Error(line.where + ": cannot read a rotation",
                    "it has " + io::counted(columns, "column") + ", the lines before it " +
                        std::to_string(expected_columns),
                    "write every rotation in the same form");
    return columns == 4 ? quaternion_from(line) : quaternion_from_matrix(line);
}

std::vector<Quaternion> parse_quaternions(const io::TextSource& source) {
    std::vector<Quaternion> rotations;
    std::size_t columns = 0;
    io::TextLines lines(source.text);
    for (std::string text; lines.next(text);) {
        const std::string where = source.path + ":" + std::to_string(lines.number());
        const Line line{where,
                        parse_columns(std::string_view(text).substr(0, text.find('#')), where)};
        if (line.columns.empty()) continue;
        if (columns == 0) columns = line.columns.size();
        rotations.push_back(rotation_from(line, columns));
    }
    if (rotations.empty())
        throw Error(source.path + ": no rotations", "the file has no line with numbers",
                    rotation_file.wanted);
    return rotations;
}

/// Whether the set comes with the program: 3,600 and 70,008 rotations do.
bool is_shipped(std::int64_t bases) { return bases == 150 || bases == 2917; }

std::vector<Quaternion> shipped_bases(std::int64_t count) {
    const std::string path = io::data_file("rotations/" + std::to_string(count) + ".csv");
    std::vector<Quaternion> bases = parse_quaternions(io::read_text_file(path, rotation_file));
    if (static_cast<std::int64_t>(bases.size()) != count)
        throw Error(path + ": damaged",
                    std::to_string(bases.size()) + " rotations instead of " + std::to_string(count),
                    "install the data folder again");
    return bases;
}

}  // namespace

RotationSet relaxed_orbit_rotations(std::int64_t rotations) {
    if (rotations < 24 || rotations > 10'000'000)
        throw Error(std::to_string(rotations) + " rotations",
                    "the set is made of orbits of 24 and holds at most 10000000",
                    "ask for 24 to 10000000 rotations");
    const std::int64_t count = (rotations + 12) / 24;
    RotationSet set;
    set.bases = is_shipped(count) ? shipped_bases(count) : relaxed_orbit_bases(count);
    const auto group = octahedral_group();
    set.group.assign(group.begin(), group.end());
    set.description = std::to_string(count) + " bases x 24 (relaxed orbits)";
    return set;
}

RotationSet parse_rotations(const io::TextSource& source) {
    RotationSet set;
    set.bases = parse_quaternions(source);
    set.group = {SignedPermutation{}};
    set.description = io::counted(set.bases.size(), "rotation") + " of " + source.path;
    set.sha256 = source.sha256;
    return set;
}

RotationSet read_rotations(const std::string& path) {
    return parse_rotations(io::read_text_file(path, rotation_file));
}

}  // namespace tessera::docking
