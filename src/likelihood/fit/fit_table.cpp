// The fitted parameters as a table (declared in fit_result.hpp).
#include <algorithm>
#include <memory>

#include "likelihood/fit/fit_result.hpp"

namespace tessera::likelihood {

io::ValueTable parameter_table(FitResult result, std::int64_t most) {
    using Kind = io::TableColumn::Kind;
    io::ValueTable table{{{"name", Kind::text},
                          {"units", Kind::text},
                          {"start"},
                          {"best"},
                          {"standard_error", Kind::real, {}, true},
                          {"verdict", Kind::text},
                          {"lower_bound"},
                          {"upper_bound"}},
                         std::min(most, std::ssize(result.free)),
                         {}};
    const auto data = std::make_shared<const FitResult>(std::move(result));
    table.row = [data](std::int64_t row) {
        const auto i = static_cast<std::size_t>(row);
        const FreeParameter& one = data->free[i];
        return std::vector<io::Cell>{one.name,
                                     unit_of(one.name),
                                     data->start[i],
                                     data->best[i],
                                     data->standard_errors[i],
                                     data->verdicts[i],
                                     one.lower,
                                     one.upper};
    };
    return table;
}

}  // namespace tessera::likelihood
