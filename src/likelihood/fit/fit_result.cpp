#include "likelihood/fit/fit_result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/hdf5/result_values.hpp"
#include "io/streams/stream_tracks.hpp"
#include "io/text/counted.hpp"
#include "likelihood/fit/shared_record.hpp"

namespace tessera::likelihood {

namespace {

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::determined: return "determined";
        case Verdict::at_lower_bound: return "at lower bound";
        case Verdict::at_upper_bound: return "at upper bound";
        default: return "unconstrained";
    }
}

/// The parameters of all rows, one row after another.
template <class Rows>
std::vector<double> parameters_of(const Rows& rows) {
    std::vector<double> values;
    for (const auto& row : rows)
        values.insert(values.end(), row.parameters.begin(), row.parameters.end());
    return values;
}

template <class Rows, class Value>
auto column(const Rows& rows, const Value& value) {
    std::vector<decltype(value(rows.front()))> values;
    for (const auto& row : rows) values.push_back(value(row));
    return values;
}

template <class Row>
double likelihood_of(const Row& row) {
    return row.likelihood;
}

}  // namespace

std::string unit_of(const std::string& parameter) {
    const std::string field = parameter.substr(parameter.rfind('.') + 1);
    if (field == "mu" || field == "yaw" || field == "pitch" || field == "roll") return "degree";
    if (field == "theta" || field == "phi") return "radian";
    if (field == "r" || field == "r0" || field == "sigma") return "kpc";
    for (const io::TrackShift& shift : io::track_shifts())
        if (field == shift.key) return "kpc";
    for (const char* disk : {"thin_length", "thin_height", "thick_length", "thick_height"})
        if (field == disk) return "kpc";
    return "";
}

FitResult make_fit_result(const FitCourse& course, const StreamSpace& space,
                          const io::FitSettings& settings, double unit) {
    const Maximum& maximum = course.maximum;
    FitResult result;
    result.errors = make_fit_errors(course, space, unit);
    result.free = space.free();
    result.fixed = space.fixed();
    result.best = space.values(maximum.best.at);
    result.start = space.values(space.folded(maximum.start.at));
    result.likelihood = maximum.best.value;
    result.start_likelihood = maximum.start.value;
    result.method = settings.method;
    result.converged = maximum.converged;
    result.evaluations = maximum.evaluations;
    result.gradient_evaluations = maximum.slope_evaluations;
    const std::size_t n = space.dimension();
    for (std::size_t i = 0; i < n; ++i) {
        result.verdicts.push_back(name_of(maximum.errors.verdicts.at(i)));
        for (std::size_t j = 0; j < n; ++j)
            result.covariance.push_back(maximum.errors.covariance(i, j) * space.free()[i].width() *
                                        space.free()[j].width());
        result.standard_errors.push_back(std::sqrt(result.covariance[i * n + i]));
    }
    for (const HistoryRow& row : maximum.history)
        result.history.push_back(
            {row.evaluation, row.search, row.best.value, space.values(space.folded(row.best.at))});
    for (const Candidate& end : maximum.climbs)
        result.climbs.push_back({end.value, space.values(space.folded(end.at))});
    return result;
}

void write_fit_result(io::h5::Group root, const FitResult& result) {
    io::h5::Group fit = root.group("fit");
    const auto n = static_cast<std::uint64_t>(result.free.size());
    fit.write_attribute("method", result.method);
    fit.write_attribute("converged", static_cast<std::uint8_t>(result.converged));
    fit.write_attribute("likelihood", result.likelihood);
    fit.write_attribute("start_likelihood", result.start_likelihood);
    fit.write_attribute("evaluations", result.evaluations);
    fit.write_attribute("gradient_evaluations", result.gradient_evaluations);
    if (result.wedges > 1) {
        fit.write_attribute("wedges", result.wedges);
        fit.write_attribute("number_of_stars", result.number_of_stars);
        fit.write_attribute("log10_likelihood", log10_likelihood(result));
    }
    if (result.asynchronous) write_asynchronous(fit, *result.asynchronous);
    fit.write_strings("names", column(result.free, [](const auto& one) { return one.name; }));
    fit.write_strings("units",
                      column(result.free, [](const auto& one) { return unit_of(one.name); }));
    fit.write("lower_bounds", column(result.free, [](const auto& one) { return one.lower; }));
    fit.write("upper_bounds", column(result.free, [](const auto& one) { return one.upper; }));
    fit.write("best", result.best);
    fit.write("start", result.start);
    fit.write("standard_errors", result.standard_errors);
    fit.write("covariance", result.covariance, {n, n});
    fit.write_strings("verdicts", result.verdicts);
    write_fit_errors(fit, result.errors);
    write_shared(fit, result.free);
    write_numbers(fit, result.numbers);
    io::h5::Group fixed = fit.group("fixed");
    fixed.write_strings("names", column(result.fixed, [](const auto& one) { return one.name; }));
    fixed.write_strings("units",
                        column(result.fixed, [](const auto& one) { return unit_of(one.name); }));
    fixed.write("values", column(result.fixed, [](const auto& one) { return one.value; }));
    io::h5::Group history = fit.group("history");
    const auto rows = static_cast<std::uint64_t>(result.history.size());
    history.write("evaluation", column(result.history, [](const auto& r) { return r.evaluation; }));
    history.write("search", column(result.history, [](const auto& r) { return r.search; }));
    history.write("likelihood", column(result.history, likelihood_of<FitResult::Row>));
    history.write("parameters", parameters_of(result.history), {rows, n});
    io::h5::Group climbs = fit.group("climbs");
    climbs.write("likelihood", column(result.climbs, likelihood_of<FitResult::End>));
    climbs.write("parameters", parameters_of(result.climbs),
                 {static_cast<std::uint64_t>(result.climbs.size()), n});
}

FitResult read_fit_result(const io::h5::Group& root) {
    const io::h5::Group fit = root.open_group("fit");
    const std::uint64_t n = io::length_of(fit, "names");
    const auto finite = [&](const char* name) { return io::read_finite(fit, name, {n}); };
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    FitResult result;
    result.method = fit.read_attribute<std::string>("method");
    result.converged = fit.read_attribute<std::uint8_t>("converged") != 0;
    result.likelihood = io::finite_attribute(fit, "likelihood");
    result.start_likelihood = fit.read_attribute<double>("start_likelihood");
    result.evaluations = io::attribute_within(fit, "evaluations", 0, any);
    result.gradient_evaluations = io::attribute_within(fit, "gradient_evaluations", 0, any);
    if (fit.has_attribute("wedges")) {
        result.wedges = io::attribute_within(fit, "wedges", 1, 1 << 20);
        result.number_of_stars = io::attribute_within(fit, "number_of_stars", 1, any);
    }
    const auto names = io::read_shaped_texts(fit, "names", n);
    const auto lower = finite("lower_bounds"), upper = finite("upper_bounds");
    for (std::size_t i = 0; i < names.size(); ++i)
        result.free.push_back({names[i], 0, lower[i], upper[i]});
    read_shared(fit, result.wedges, result.free);
    result.numbers = read_numbers(fit, result.wedges);
    result.best = finite("best");
    result.start = finite("start");
    result.standard_errors = io::read_shaped<double>(fit, "standard_errors", {n});
    result.covariance = io::read_shaped<double>(fit, "covariance", {n, n});
    result.verdicts = io::read_shaped_texts(fit, "verdicts", n);
    result.errors = read_fit_errors(fit, n);
    result.asynchronous = read_asynchronous(fit);
    if (!fit.contains("fixed")) return result;
    const io::h5::Group fixed = fit.open_group("fixed");
    const std::uint64_t count = io::length_of(fixed, "names");
    const auto fixed_names = io::read_shaped_texts(fixed, "names", count);
    const auto values = io::read_finite(fixed, "values", {count});
    for (std::size_t i = 0; i < count; ++i) result.fixed.push_back({fixed_names[i], values[i]});
    return result;
}

double log10_likelihood(const FitResult& result) {
    return result.likelihood * static_cast<double>(result.number_of_stars);
}

std::string report_text(const FitResult& result) {
    const std::size_t width = name_width(result.free);
    std::string text =
        fmt::format("{}, {} and {} with gradients: {}\n  {:<{}} {:>16} {:>13}   {}\n",
                    result.method, io::counted(result.evaluations, "evaluation"),
                    result.gradient_evaluations, result.converged ? "converged" : "NOT converged",
                    "parameter", width, "best", "error", "bounds");
    std::vector<bool> determined;
    for (std::size_t i = 0; i < result.free.size(); ++i) {
        const FreeParameter& one = result.free[i];
        const bool has_error = result.verdicts.at(i) == "determined";
        const std::string error =
            has_error ? fmt::format("{:.3g}", result.standard_errors.at(i)) : "-";
        const std::string why = !has_error                 ? ", " + result.verdicts[i]
                                : result.errors.trusted(i) ? ""
                                                           : ", not trusted";
        text += fmt::format("  {:<{}} {:>16.9g} {:>13}   {:g} to {:g}{}{}\n", one.name, width,
                            result.best.at(i), error, one.lower, one.upper, why, wedges_text(one));
        determined.push_back(has_error);
    }
    for (const FixedParameter& one : result.fixed)
        text += fmt::format("  {:<{}} {:>16.9g} {:>13}\n", one.name, width, one.value, "fixed");
    text += fmt::format("  {:<{}} {:.17g}\n", "search_likelihood", width, result.likelihood);
    if (result.wedges > 1)
        text += fmt::format("  {:<{}} {:.17g}\nThe search_likelihood is the mean of log10 over all "
                            "{} stars of {} wedges, and the log10_likelihood is the sum.\n",
                            "log10_likelihood", width, log10_likelihood(result),
                            result.number_of_stars, result.wedges);
    text += numbers_text(result.numbers);
    if (result.asynchronous) text += asynchronous_text(*result.asynchronous);
    return text + errors_text(result.errors, result.free, determined);
}

std::string to_json(const io::FitSettings& settings) {
    nlohmann::ordered_json json{{"method", settings.method},
                                {"start", settings.start},
                                {"population", settings.population},
                                {"generations", settings.generations},
                                {"starts", settings.starts},
                                {"variations", settings.variations},
                                {"seed", settings.seed},
                                {"tolerance", settings.tolerance},
                                {"free", settings.free},
                                {"bounds", nlohmann::ordered_json::object()}};
    if (!settings.profile.empty()) json["profile"] = settings.profile;
    if (settings.bootstrap > 0) json["bootstrap"] = settings.bootstrap;
    if (settings.asynchronous) json["asynchronous"] = true;
    if (settings.verify > 0) json["verify"] = settings.verify;
    if (settings.most_streams > 0)
        json["streams"] = {settings.fewest_streams, settings.most_streams};
    if (settings.folds > 0) json["folds"] = settings.folds;
    for (const io::SharedParameter& one : settings.shared)
        json["shared"][one.name].push_back(one.parameter);
    for (const io::ParameterBounds& one : settings.bounds)
        json["bounds"][one.name] = {one.lower, one.upper};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tessera::likelihood
