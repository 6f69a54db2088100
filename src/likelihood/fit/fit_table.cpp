// The fitted parameters as a table (declared in fit_result.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/shared_record.hpp"

namespace tessera::likelihood {

namespace {

/// 1 or 0; nothing if the parameter has no standard error or was not checked.
io::Cell trusted_cell(const FitResult& result, std::size_t i) {
    if (result.errors.drops.empty() || std::isnan(result.standard_errors[i])) return {};
    return std::int64_t{result.errors.trusted(i)};
}

/// The columns that a fit with --profile or --bootstrap has besides.
std::vector<std::string> error_columns(const FitErrors& errors) {
    std::vector<std::string> names;
    const auto intervals = [&](const std::string& kind) {
        for (const char* level : {"68", "95"})
            for (const char* end : {"lower", "upper"})
                names.push_back(kind + "_" + end + "_" + level);
    };
    if (!errors.profiles.empty()) intervals("profile");
    if (errors.bootstrap) {
        names.emplace_back("bootstrap_error");
        intervals("bootstrap");
    }
    return names;
}

/// The cells of these columns.
void append_errors(const FitErrors& errors, std::size_t i, std::vector<io::Cell>& cells) {
    const auto intervals = [&](const auto& one) {
        for (std::size_t level = 0; level < 2; ++level)
            cells.insert(cells.end(), {one.lower[level], one.upper[level]});
    };
    if (const ProfileIntervals* profile = errors.profile_of(i))
        intervals(*profile);
    else if (!errors.profiles.empty())
        cells.insert(cells.end(), 4, io::Cell{});
    if (!errors.bootstrap) return;
    const BootstrapSummary& summary = errors.bootstrap->summaries.at(i);
    cells.emplace_back(summary.standard_error);
    intervals(summary);
}

}  // namespace

io::ValueTable parameter_table(FitResult result, std::int64_t most) {
    using Kind = io::TableColumn::Kind;
    io::ValueTable table{{{"name", Kind::text},
                          {"units", Kind::text},
                          {"start"},
                          {"best"},
                          {"standard_error", Kind::real, {}, true},
                          {"verdict", Kind::text},
                          {"lower_bound"},
                          {"upper_bound"},
                          {"error_trusted", Kind::whole, {}, true}},
                         std::min(most, std::ssize(result.free)),
                         {}};
    for (const std::string& name : error_columns(result.errors))
        table.columns.push_back({name, Kind::real, {}, true});
    const bool shares = std::ranges::any_of(
        result.free, [](const FreeParameter& one) { return !one.places.empty(); });
    if (shares) table.columns.push_back({"shared_by", Kind::text});
    const auto data = std::make_shared<const FitResult>(std::move(result));
    table.row = [data, shares](std::int64_t row) {
        const auto i = static_cast<std::size_t>(row);
        const FreeParameter& one = data->free[i];
        std::vector<io::Cell> cells{one.name,
                                    unit_of(one.name),
                                    data->start[i],
                                    data->best[i],
                                    data->standard_errors[i],
                                    data->verdicts[i],
                                    one.lower,
                                    one.upper,
                                    trusted_cell(*data, i)};
        append_errors(data->errors, i, cells);
        if (shares) cells.emplace_back(fmt::format("{}", fmt::join(shared_by(one), " ")));
        return cells;
    };
    return table;
}

}  // namespace tessera::likelihood
