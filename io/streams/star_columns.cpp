#include "io/streams/star_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>

#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

using Names = std::array<std::string_view, 3>;
constexpr std::array<Names, 3> known{
    {{"l", "glon", "l_degree"}, {"b", "glat", "b_degree"}, {"r", "distance", "r_kpc"}}};

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

std::string plain_name(const std::string& name) {
    const std::size_t point = name.rfind('.');
    return lower(point == std::string::npos ? name : name.substr(point + 1));
}

/// The factor to degrees or kpc; 0 for an unknown unit.
double factor_of(const std::string& unit, bool is_angle) {
    const std::string word = lower(unit);
    if (word.empty()) return 1;
    if (is_angle) {
        if (word == "deg" || word == "degree" || word == "degrees") return 1;
        return word == "rad" || word == "radian" ? 180 / std::numbers::pi : 0;
    }
    return word == "kpc" ? 1 : word == "pc" ? 1e-3 : word == "mpc" ? 1e3 : 0;
}

std::string listed(const std::vector<StarTableColumn>& columns) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(columns.size(), most); ++i)
        text += (i > 0 ? ", " : "") + one_line(columns[i].name, 20);
    return columns.size() > most ? text + ", ..." : text;
}

}  // namespace

std::optional<StarColumns> find_star_columns(const std::vector<StarTableColumn>& columns,
                                             StarProblem& problem) {
    StarColumns found;
    for (std::size_t k = 0; k < known.size(); ++k) {
        auto column = columns.end();
        for (const std::string_view name : known[k]) {
            const auto has_name = [&](const StarTableColumn& one) {
                return plain_name(one.name) == name;
            };
            column = std::ranges::find_if(columns, has_name);
            if (column == columns.end()) continue;
            if (std::find_if(column + 1, columns.end(), has_name) != columns.end()) {
                problem = {fmt::format("two columns have the name {}", name), "rename one of them"};
                return std::nullopt;
            }
            break;
        }
        if (column == columns.end()) {
            problem = {fmt::format("none of its columns ({}) is {}", listed(columns), known[k][0]),
                       "name the columns l, b and r (degrees, degrees, kpc)"};
            return std::nullopt;
        }
        found.index[k] = static_cast<std::size_t>(column - columns.begin());
        found.factor[k] = factor_of(column->unit, k < 2);
        if (found.factor[k] == 0) {
            problem = {fmt::format("the unit of {} is '{}'", one_line(column->name, 20),
                                   one_line(column->unit, 20)),
                       k < 2 ? "give degrees (deg) or radians (rad)" : "give pc, kpc or Mpc"};
            return std::nullopt;
        }
    }
    return found;
}

std::optional<StarProblem> problem_of(const Star& star) {
    if (!(star.r > 0) || !std::isfinite(star.r))
        return StarProblem{"the distance r is not positive", "leave the star out"};
    if (!(std::abs(star.l) <= 360 && std::abs(star.b) <= 90))
        return StarProblem{"l or b is not an angle of the sky (l up to 360, b up to 90 degrees)",
                           "check the order of the columns: l b r"};
    return std::nullopt;
}

}  // namespace tessera::io
