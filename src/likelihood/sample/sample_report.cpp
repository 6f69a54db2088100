// The result of a sampling as text, tables and JSON (declared in sample_result.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "io/text/counted.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/shared_record.hpp"
#include "likelihood/sample/sample_result.hpp"

namespace tessera::likelihood {

namespace {

using Json = nlohmann::ordered_json;

/// The least or greatest of a number over all parameters; NaN if one is NaN.
template <class Better>
double extreme(const SampleResult& result, double Summary::*value, const Better& better) {
    double found = result.summaries.empty() ? 0 : result.summaries.front().*value;
    for (const Summary& one : result.summaries)
        if (std::isnan(one.*value) || better(one.*value, found)) found = one.*value;
    return found;
}

std::vector<std::string> names_of(const SampleResult& result) {
    std::vector<std::string> names;
    names.reserve(result.free.size());
    for (const FreeParameter& one : result.free) names.push_back(one.name);
    return names;
}

std::vector<double> deviations_of(const SampleResult& result) {
    std::vector<double> deviations;
    deviations.reserve(result.summaries.size());
    for (const Summary& one : result.summaries) deviations.push_back(one.sd);
    return deviations;
}

std::string convergence(const SampleResult& result) {
    if (result.converged) return "converged";
    if (!std::ranges::all_of(result.summaries, is_good))
        return fmt::format("NOT converged (R-hat below {} and sizes above {} are wanted)",
                           largest_r_hat, smallest_ess);
    return fmt::format(
        "good for the parameters, but the chains do NOT agree on the hills (R-hat below {} is "
        "wanted)",
        largest_r_hat);
}

std::string verdict(const SampleResult& result) {
    std::string text = fmt::format(
        "  R-hat up to {:.4f}, effective sample sizes from {:.0f} (bulk) and {:.0f} (tail): {}\n",
        extreme(result, &Summary::r_hat, std::greater<>()),
        extreme(result, &Summary::bulk_ess, std::less<>()),
        extreme(result, &Summary::tail_ess, std::less<>()), convergence(result));
    if (result.hills.known())
        text += hills_text(result.hills, names_of(result), deviations_of(result));
    else if (result.tried_jumps > 0)
        text += fmt::format("  chains moved slowly between two parts of the posterior, so they "
                            "also jumped from one to the other, before {} of {}\n",
                            result.jumps, io::counted(result.tried_jumps, "draw"));
    if (result.diverging > 0)
        text += fmt::format("  {} diverged: parts of the posterior may be missing\n",
                            io::counted(result.diverging, "trajectory", "trajectories"));
    return text;
}

Json summary_json(const Summary& one) {
    return {{"mean", one.mean},
            {"sd", one.sd},
            {"q5", one.q5},
            {"median", one.median},
            {"q95", one.q95},
            {"r_hat", one.r_hat},
            {"ess_bulk", one.bulk_ess},
            {"ess_tail", one.tail_ess}};
}

}  // namespace

std::string report_text(const SampleResult& result) {
    std::string text = fmt::format(
        "{}, {} of {} after {} of warm-up, {} and {} with gradients, mean "
        "acceptance {:.2f}\n",
        result.method, io::counted(result.chains, "chain"), io::counted(result.draws, "draw"),
        result.warmup, io::counted(result.evaluations, "evaluation"), result.gradient_evaluations,
        result.acceptance);
    const std::size_t width = std::max<std::size_t>(20, name_width(result.free));
    text += fmt::format("  {:<{}} {:>12} {:>10} {:>12} {:>12} {:>7} {:>8} {:>8}\n", "parameter",
                        width, "mean", "sd", "5 %", "95 %", "R-hat", "ESS bulk", "ESS tail");
    for (std::size_t i = 0; i < result.free.size(); ++i) {
        const Summary& one = result.summaries.at(i);
        text += fmt::format(
            "  {:<{}} {:>12.6g} {:>10.3g} {:>12.6g} {:>12.6g} {:>7.4f} {:>8.0f} {:>8.0f}{}\n",
            result.free[i].name, width, one.mean, one.sd, one.q5, one.q95, one.r_hat, one.bulk_ess,
            one.tail_ess, wedges_text(result.free[i]));
    }
    for (const FixedParameter& one : result.fixed)
        text += fmt::format("  {:<{}} {:>12.6g} {:>10}\n", one.name, width, one.value, "fixed");
    return text + verdict(result);
}

io::ValueTable sample_table(SampleResult result, std::int64_t most) {
    using Kind = io::TableColumn::Kind;
    io::ValueTable table{{{"name", Kind::text},
                          {"units", Kind::text},
                          {"prior", Kind::text},
                          {"mean"},
                          {"sd"},
                          {"q5"},
                          {"median"},
                          {"q95"},
                          {"r_hat", Kind::real, {}, true},
                          {"ess_bulk", Kind::real, {}, true},
                          {"ess_tail", Kind::real, {}, true},
                          {"top"}},
                         std::min(most, std::ssize(result.free)),
                         {}};
    const auto data = std::make_shared<const SampleResult>(std::move(result));
    table.row = [data](std::int64_t row) {
        const auto i = static_cast<std::size_t>(row);
        const Summary& one = data->summaries[i];
        const std::string& name = data->free[i].name;
        return std::vector<io::Cell>{name,      unit_of(name), data->priors[i], one.mean,
                                     one.sd,    one.q5,        one.median,      one.q95,
                                     one.r_hat, one.bulk_ess,  one.tail_ess,    data->top[i]};
    };
    return table;
}

io::ValueTable draw_table(const io::h5::Group& root, std::int64_t most) {
    using Kind = io::TableColumn::Kind;
    const SampleResult result = read_sample_result(root);
    io::ValueTable table{{{"chain", Kind::whole}, {"draw", Kind::whole}},
                         std::min(most, result.chains * result.draws),
                         {}};
    for (const FreeParameter& one : result.free) {
        io::TableColumn column{one.name};
        column.units = unit_of(one.name);
        table.columns.push_back(column);
    }
    table.columns.push_back({"lp"});
    table.columns.push_back({"search_likelihood"});
    const auto data = std::make_shared<const SampleDraws>(read_sample_draws(root, result));
    table.row = [data, draws = result.draws](std::int64_t row) {
        const auto c = static_cast<std::size_t>(row / draws),
                   d = static_cast<std::size_t>(row % draws);
        std::vector<io::Cell> cells{row / draws, row % draws};
        for (const Chains& one : data->parameters) cells.emplace_back(one[c][d]);
        cells.emplace_back(data->log_posterior[c][d]);
        cells.emplace_back(data->likelihood[c][d]);
        return cells;
    };
    return table;
}

std::string to_json(const SampleResult& result) {
    Json json{{"method", result.method},
              {"chains", result.chains},
              {"warmup", result.warmup},
              {"draws", result.draws},
              {"converged", result.converged},
              {"diverging", result.diverging},
              {"acceptance", result.acceptance},
              {"evaluations", result.evaluations},
              {"gradient_evaluations", result.gradient_evaluations},
              {"tried_jumps", result.tried_jumps},
              {"jumps", result.jumps},
              {"parameters", Json::array()},
              {"fixed", Json::array()}};
    if (result.hills.known()) {
        json["hills"] = Json::parse(hills_json(result.hills));
        json["hill_changes"] = result.hills.changes;
    }
    for (std::size_t i = 0; i < result.free.size(); ++i) {
        const FreeParameter& one = result.free[i];
        Json parameter{{"name", one.name},          {"units", unit_of(one.name)},
                       {"prior", result.priors[i]}, {"top", result.top[i]},
                       {"lower_bound", one.lower},  {"upper_bound", one.upper}};
        parameter.update(summary_json(result.summaries[i]));
        if (!one.places.empty()) parameter["shared_by"] = shared_by(one);
        json["parameters"].push_back(parameter);
    }
    if (result.wedges > 1) {
        json["wedges"] = result.wedges;
        json["number_of_stars"] = result.number_of_stars;
    }
    for (const FixedParameter& one : result.fixed)
        json["fixed"].push_back(
            {{"name", one.name}, {"units", unit_of(one.name)}, {"value", one.value}});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tessera::likelihood
