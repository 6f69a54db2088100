#include "orbitals/tiles/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/text/csv_table.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/selection/input.hpp"
#include "orbitals/selection/text_lists.hpp"

namespace tessera::orbitals {

namespace {

/// The unit of the file in bohr, or nothing if the words are no header.
std::optional<double> unit_of_header(const std::vector<std::string>& words) {
    const auto is = [&](const char* suffix) {
        return words.size() == 3 && lower_case(words[0]) == std::string("x") + suffix &&
               lower_case(words[1]) == std::string("y") + suffix &&
               lower_case(words[2]) == std::string("z") + suffix;
    };
    if (is("_bohr")) return 1;
    if (is("") || is("_angstrom")) return 1 / units::bohr_in_angstrom;
    return std::nullopt;
}

bool has_semicolon(const std::string& word) { return word.find(';') != std::string::npos; }

}  // namespace

PointList read_points(const std::string& path) {
    const io::TextSource source = io::read_csv_text(path);
    PointList list{{}, source.sha256};
    double unit = 1 / units::bohr_in_angstrom;
    bool first = true;
    for (const io::CsvRow& row : io::parse_csv_table(source)) {
        const std::vector<std::string> words = io::csv_words(row);
        const auto header = first ? unit_of_header(words) : std::nullopt;
        first = false;
        if (header) {
            unit = *header;
            continue;
        }
        std::array<double, 3> place{};
        bool good = words.size() == 3;
        for (std::size_t a = 0; good && a < 3; ++a) {
            const auto number = real_number(words[a]);
            good = number && std::abs(*number * unit) <= origin_range.high;
            if (good) place[a] = *number * unit;
        }
        if (!good && std::ranges::any_of(words, has_semicolon))
            throw Error(fmt::format("cannot read points '{}'", io::one_line(path)),
                        fmt::format("line {}: semicolons separate its fields", row.line),
                        io::commas_for_semicolons);
        if (!good)
            throw Error(fmt::format("cannot read points '{}'", io::one_line(path)),
                        fmt::format("line {} does not hold three coordinates up to {:g} bohr",
                                    row.line, origin_range.high),
                        "write x,y,z in Angstrom, or begin with the line x_bohr,y_bohr,z_bohr");
        list.points.push_back({place[0], place[1], place[2]});
    }
    if (list.points.empty())
        throw Error(fmt::format("cannot read points '{}'", io::one_line(path)), "it holds no point",
                    "write x,y,z of a point into each line");
    return list;
}

}  // namespace tessera::orbitals
