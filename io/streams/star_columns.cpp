#include "io/streams/star_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

/// Squares of larger numbers, and their sums, could overflow.
constexpr double largest = 1e30;

using ThreeNames = std::array<std::string_view, 3>;
constexpr std::array<ThreeNames, 3> known{
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

std::optional<StarProblem> problem_of_observed(const std::vector<double>& observed,
                                               std::span<const Observable> observables) {
    const std::size_t count = observables.size();
    const char* const correct = "correct it, or leave the value out";
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isnan(observed[i])) continue;
        if (std::isinf(observed[i]))
            return StarProblem{fmt::format("{} is infinite", one_line(observables[i].value, 40)),
                               correct};
        if (!(observed[count + i] >= 0 && std::isfinite(observed[count + i])))
            return StarProblem{fmt::format("{} has a value, but its error {} is not a number from "
                                           "0 on",
                                           one_line(observables[i].value, 40),
                                           one_line(observables[i].error, 40)),
                               correct};
        for (const auto& [column, value] : {std::pair(observables[i].value, observed[i]),
                                            std::pair(observables[i].error, observed[count + i])})
            if (std::abs(value) > largest)
                return StarProblem{fmt::format("{} is {:g}, beyond all that is measured",
                                               one_line(column, 40), value),
                                   correct};
        for (std::size_t j = 0; j < i; ++j)
            if (!std::isnan(observed[j]) &&
                !(std::abs(observed[correlation_place(count, i, j)]) < 1))
                return StarProblem{fmt::format("the correlation {} is not between -1 and 1",
                                               one_line(observables[i].correlations[j], 40)),
                                   correct};
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> column_names(std::span<const Observable> observables) {
    std::vector<std::string> names;
    for (const Observable& one : observables) names.push_back(one.value);
    for (const Observable& one : observables) names.push_back(one.error);
    for (const Observable& one : observables)
        names.insert(names.end(), one.correlations.begin(), one.correlations.end());
    return names;
}

std::optional<StarColumns> find_star_columns(const std::vector<StarTableColumn>& columns,
                                             std::span<const Observable> observables,
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
            problem = {fmt::format("none of its columns ({}) is {}, {} or {}", listed(columns),
                                   known[k][0], known[k][1], known[k][2]),
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
    for (const std::string& name : column_names(observables)) {
        const auto column = std::ranges::find(columns, name, &StarTableColumn::name);
        if (column == columns.end() && !name.empty()) {
            problem = {
                fmt::format("none of its columns ({}) is {}", listed(columns), one_line(name, 40)),
                "give the column, or correct its name in [[observable]]"};
            return std::nullopt;
        }
        found.observed.emplace_back();
        if (!name.empty())
            found.observed.back() = static_cast<std::size_t>(column - columns.begin());
    }
    return found;
}

std::optional<StarProblem> problem_of(const Star& star, std::span<const Observable> observables) {
    if (!(star.r > 0) || !std::isfinite(star.r))
        return StarProblem{"the distance r is not positive", "leave it out"};
    if (star.r > largest)
        return StarProblem{fmt::format("the distance r is {:g} kpc", star.r),
                           "correct it, or leave the star out"};
    if (!(std::abs(star.l) <= 360 && std::abs(star.b) <= 90))
        return StarProblem{"l or b is not an angle of the sky (l up to 360, b up to 90 degrees)",
                           "check the order of the columns: l b r"};
    return observables.empty() ? std::nullopt : problem_of_observed(star.observed, observables);
}

void require_no_observables(const TextScanner& scanner, std::span<const Observable> observables) {
    if (!observables.empty())
        scanner.fail(fmt::format("the model needs the column {}, but the file has l, b and r only",
                                 one_line(observables.front().value, 40)),
                     "give a table with named columns, or leave out [[observable]]");
}

}  // namespace tessera::io
