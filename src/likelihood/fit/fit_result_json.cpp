// The result of a fit as JSON (declared in fit_result.hpp).
#include <nlohmann/json.hpp>

#include "likelihood/fit/fit_result.hpp"

namespace tessera::likelihood {

namespace {

using Json = nlohmann::ordered_json;

Json parameter_json(const FitResult& result, std::size_t i) {
    const FreeParameter& one = result.free[i];
    return {{"name", one.name},
            {"units", unit_of(one.name)},
            {"start", result.start[i]},
            {"best", result.best[i]},
            {"standard_error", result.standard_errors[i]},
            {"verdict", result.verdicts[i]},
            {"lower_bound", one.lower},
            {"upper_bound", one.upper}};
}

}  // namespace

std::string to_json(const FitResult& result) {
    const std::size_t n = result.free.size();
    Json json{{"method", result.method},
              {"converged", result.converged},
              {"likelihood", result.likelihood},
              {"start_likelihood", result.start_likelihood},
              {"evaluations", result.evaluations},
              {"gradient_evaluations", result.gradient_evaluations},
              {"parameters", Json::array()},
              {"covariance", Json::array()},
              {"fixed", Json::array()}};
    for (std::size_t i = 0; i < n; ++i) {
        json["parameters"].push_back(parameter_json(result, i));
        const auto row = result.covariance.begin() + static_cast<std::ptrdiff_t>(i * n);
        json["covariance"].push_back(
            std::vector<double>(row, row + static_cast<std::ptrdiff_t>(n)));
    }
    for (const FixedParameter& one : result.fixed)
        json["fixed"].push_back(
            {{"name", one.name}, {"units", unit_of(one.name)}, {"value", one.value}});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::likelihood
