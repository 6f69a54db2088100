// The result of a fit as JSON (declared in fit_result.hpp).
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/shared_record.hpp"

namespace tessera::likelihood {

namespace {

using Json = nlohmann::ordered_json;

/// null: not checked, or there is no standard error.
Json trusted_json(const FitResult& result, std::size_t i) {
    if (result.errors.drops.empty() || std::isnan(result.standard_errors[i])) return {};
    return result.errors.trusted(i);
}

Json parameter_json(const FitResult& result, std::size_t i) {
    const FreeParameter& one = result.free[i];
    Json json{{"name", one.name},
              {"units", unit_of(one.name)},
              {"start", result.start[i]},
              {"best", result.best[i]},
              {"standard_error", result.standard_errors[i]},
              {"verdict", result.verdicts[i]},
              {"lower_bound", one.lower},
              {"upper_bound", one.upper},
              {"drops", result.errors.drops.empty() ? Json() : Json(result.errors.drops[i])},
              {"error_trusted", trusted_json(result, i)}};
    if (!one.places.empty()) json["shared_by"] = shared_by(one);
    return json;
}

Json profile_json(const FitResult& result, const ProfileIntervals& one) {
    Json values = Json::array(), drops = Json::array();
    for (const auto& row : one.points) {
        values.push_back(row.value);
        drops.push_back(row.drop);
    }
    return {{"name", result.free[one.parameter].name},
            {"log_likelihood_drops", profile_levels},
            {"lower", one.lower},
            {"upper", one.upper},
            {"lower_ends", one.lower_ends},
            {"upper_ends", one.upper_ends},
            {"values", values},
            {"drops", drops}};
}

Json bootstrap_json(const FitResult& result, const BootstrapErrors& errors) {
    Json json{{"sets", errors.sets()},
              {"converged", std::ranges::count(errors.converged, 1)},
              {"gain", errors.gain},
              {"parameters", Json::array()}};
    for (std::size_t i = 0; i < result.free.size(); ++i) {
        const BootstrapSummary& one = errors.summaries[i];
        json["parameters"].push_back({{"name", result.free[i].name},
                                      {"standard_error", one.standard_error},
                                      {"lower", one.lower},
                                      {"upper", one.upper}});
    }
    return json;
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
    if (result.wedges > 1) {
        json["wedges"] = result.wedges;
        json["number_of_stars"] = result.number_of_stars;
        json["log10_likelihood"] = log10_likelihood(result);
    }
    if (result.asynchronous) {
        if (result.asynchronous->asynchronous) json["asynchronous"] = true;
        json["verified"] = result.asynchronous->verified;
        json["mismatched"] = result.asynchronous->mismatched;
    }
    for (std::size_t i = 0; i < n; ++i) {
        json["parameters"].push_back(parameter_json(result, i));
        const auto row = result.covariance.begin() + static_cast<std::ptrdiff_t>(i * n);
        json["covariance"].push_back(
            std::vector<double>(row, row + static_cast<std::ptrdiff_t>(n)));
    }
    for (const FixedParameter& one : result.fixed)
        json["fixed"].push_back(
            {{"name", one.name}, {"units", unit_of(one.name)}, {"value", one.value}});
    for (const NumberRow& row : result.numbers) {
        Json one{{"wedge", row.wedge},
                 {"streams", row.streams},
                 {"parameters", row.parameters},
                 {"likelihood", row.likelihood},
                 {"bic", row.bic},
                 {"chosen", row.chosen}};
        if (std::isfinite(row.held_out)) one["held_out"] = row.held_out;
        json["stream_numbers"].push_back(std::move(one));
    }
    json["left_maxima"] = result.errors.left_maxima;
    json["profiles"] = Json::array();
    for (const ProfileIntervals& one : result.errors.profiles)
        json["profiles"].push_back(profile_json(result, one));
    json["bootstrap"] =
        result.errors.bootstrap ? bootstrap_json(result, *result.errors.bootstrap) : Json();
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::likelihood
