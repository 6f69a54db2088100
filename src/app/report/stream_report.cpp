#include "app/report/stream_report.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "io/hdf5/result_values.hpp"
#include "io/hdf5/run_record.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/joint_parameters.hpp"
#include "likelihood/model/wedge_geometry.hpp"
#include "likelihood/result/result.hpp"
#include "likelihood/result/star_table.hpp"
#include "likelihood/sample/sample_result.hpp"

namespace tessera::app {

namespace {

using io::h5::Group;
using Json = nlohmann::ordered_json;

constexpr std::size_t cells = 60;  ///< of the picture of a wedge, along mu and along r
constexpr std::size_t bins = 50;   ///< of the densities

Json list_of(Vec3 v) { return {v.x, v.y, v.z}; }

/// `count` edges between two numbers.
std::vector<double> edges_between(double first, double last, std::size_t count) {
    std::vector<double> edges;
    for (std::size_t i = 0; i <= count; ++i)
        edges.push_back(first +
                        (last - first) * static_cast<double>(i) / static_cast<double>(count));
    return edges;
}

/// The cell of a value within the edges; the last cell includes its upper edge.
std::size_t cell_of(double value, const std::vector<double>& edges) {
    const double share = (value - edges.front()) / (edges.back() - edges.front());
    const auto last = static_cast<double>(edges.size()) - 2;
    const double cell = std::floor(share * (last + 1));
    return static_cast<std::size_t>(std::clamp(cell, 0.0, last));
}

/// Longitude along the stripe (degrees, from `first` on) of a star.
double mu_of(const likelihood::StarRow& star, Vec3 at_0, Vec3 at_90, double first) {
    const Vec3 towards = likelihood::galactic_direction(star.l, star.b).unit;
    const double mu = std::atan2(dot(towards, at_90), dot(towards, at_0)) * 180 / units::pi;
    const double above = std::fmod(mu - first, 360);
    return first + (above < 0 ? above + 360 : above);
}

/// The numbers of a wedge's model that its picture needs.
struct WedgeModel {
    int stripe = 0;
    double first = 0, last = 0;  ///< mu of its edges, degrees
    Json streams;
};

void use_fitted(Json& streams, const likelihood::FitResult& fit, std::size_t wedge) {
    for (std::size_t i = 0; i < fit.free.size(); ++i) {
        const auto name = likelihood::name_in_wedge(fit.free[i], wedge);
        if (!name || !name->starts_with("stream")) continue;
        const std::size_t dot = name->find('.');
        streams.at(std::stoul(name->substr(6, dot - 6)) - 1)[name->substr(dot + 1)] = fit.best[i];
    }
}

WedgeModel model_of(const Group& root, std::size_t wedge) {
    WedgeModel found;
    try {
        const Json input = Json::parse(io::read_run_record(root).input);
        const Json& model = input.at("wedges").at(wedge).at("model");
        const Json& mu = model.at("area").at(0).at("mu");
        found = {model.at("wedge").get<int>(), mu.at("min").get<double>(),
                 mu.at("max").get<double>(), model.at("stream")};
        if (root.contains("fit"))
            use_fitted(found.streams, likelihood::read_fit_result(root), wedge);
    } catch (const std::logic_error&) {
        root.refuse("'/run@input'", "it does not describe the streams of the fit");
    } catch (const Json::exception&) {
        root.refuse("'/run@input'", "it does not describe the model of a wedge");
    }
    if (!(found.last > found.first)) root.refuse("'/run@input'", "a wedge in it has no width");
    return found;
}

/// The sum of the probabilities of each component over the stars of each cell [component][cell],
/// with three decimals, or nothing if the run did not store them. `places`: the cells of the stars.
Json members_by_cell(const std::vector<double>& memberships,
                     const std::vector<std::size_t>& places) {
    Json members = Json::array();
    if (places.empty()) return members;
    const std::size_t components = memberships.size() / places.size();
    for (std::size_t k = 0; k < components; ++k) {
        std::vector<double> sums(cells * cells);
        for (std::size_t star = 0; star < places.size(); ++star)
            sums[places[star]] += memberships[star * components + k];
        for (double& sum : sums) sum = std::round(sum * 1000) / 1000;
        members.push_back(sums);
    }
    return members;
}

Json wedge_report(const Group& root, std::size_t wedge, std::size_t wedges) {
    const WedgeModel model = model_of(root, wedge);
    const Group group = root.open_group(likelihood::wedge_group(wedge, wedges));
    const auto stars =
        group.open_dataset("stars").read_table<likelihood::StarRow>(likelihood::star_columns());
    double farthest = 0, least = 0, most = 0;
    for (const auto& star : stars) {
        if (!std::isfinite(star.l + star.b + star.r + star.log10_density))
            root.refuse("the table of stars", "a number in it is not finite");
        const bool first = &star == &stars.front();
        farthest = std::max(farthest, star.r);
        least = first ? star.log10_density : std::min(least, star.log10_density);
        most = first ? star.log10_density : std::max(most, star.log10_density);
    }
    if (farthest <= 0) farthest = 1;
    if (most <= least) most = least + 1;
    const auto mu = edges_between(model.first, model.last, cells);
    const auto r = edges_between(0, farthest, cells), density = edges_between(least, most, bins);
    std::vector<std::int64_t> counts(cells * cells), densities(bins);
    const Vec3 at_0 = likelihood::direction(model.stripe, 0, 0).unit,
               at_90 = likelihood::direction(model.stripe, 90, 0).unit,
               pole = likelihood::direction(model.stripe, 0, 90).unit;
    std::vector<std::size_t> places;
    for (const auto& star : stars) {
        ++densities[cell_of(star.log10_density, density)];
        places.push_back(cell_of(mu_of(star, at_0, at_90, model.first), mu) * cells +
                         cell_of(star.r, r));
        ++counts[places.back()];
    }
    return {{"wedge", model.stripe},
            {"stars", stars.size()},
            {"mu_edges", mu},
            {"r_edges", r},
            {"counts", counts},
            {"members", members_by_cell(likelihood::read_memberships(group, stars.size()), places)},
            {"density_edges", density},
            {"density_counts", densities},
            {"axes", {list_of(at_0), list_of(at_90), list_of(pole)}},
            {"streams", model.streams},
            {"are_fitted", root.contains("fit")}};
}

/// Which of `count` rows to keep, at most `most`, evenly spaced and with the last one.
std::vector<std::size_t> kept_rows(std::size_t count, std::size_t most) {
    std::vector<std::size_t> rows;
    const std::size_t step = std::max<std::size_t>(1, (count + most - 1) / most);
    for (std::size_t i = 0; i < count; i += step) rows.push_back(i);
    if (count > 0 && rows.back() != count - 1) rows.push_back(count - 1);
    return rows;
}

Json rows_of(const std::vector<double>& values, std::size_t columns,
             const std::vector<std::size_t>& rows) {
    Json json = Json::array();
    for (const std::size_t row : rows) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * columns);
        json.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(columns)));
    }
    return json;
}

}  // namespace

Json wedges_report(const Group& root) {
    const std::size_t count = likelihood::read_likelihood_result(root).wedges.size();
    Json wedges = Json::array();
    for (std::size_t w = 0; w < count; ++w) wedges.push_back(wedge_report(root, w, count));
    return wedges;
}

Json fit_report(const Group& root) {
    constexpr std::size_t most_rows = 3000, most_climbs = 300;
    Json json = Json::parse(likelihood::to_json(likelihood::read_fit_result(root)));
    const Group fit = root.open_group("fit");
    const std::uint64_t n = io::length_of(fit, "names");
    const Group history = fit.open_group("history"), climbs = fit.open_group("climbs");
    const std::uint64_t rows = io::length_of(history, "evaluation");
    const std::uint64_t ends = io::length_of(climbs, "likelihood");
    const auto kept = kept_rows(rows, most_rows);
    const auto pick = [&](const auto& values) {
        Json picked = Json::array();
        for (const std::size_t row : kept) picked.push_back(values[row]);
        return picked;
    };
    json["history"] = {
        {"evaluation", pick(io::read_shaped<std::int64_t>(history, "evaluation", {rows}))},
        {"search", pick(io::read_shaped<std::int64_t>(history, "search", {rows}))},
        {"likelihood", pick(io::read_shaped<double>(history, "likelihood", {rows}))}};
    const auto ended = kept_rows(ends, most_climbs);
    json["climbs"] = rows_of(io::read_shaped<double>(climbs, "parameters", {ends, n}), n, ended);
    return json;
}

Json sample_report(const Group& root) {
    constexpr std::size_t most_traced = 1000, most_pairs = 2000;
    const auto result = likelihood::read_sample_result(root);
    const auto draws = likelihood::read_sample_draws(root, result);
    Json json = Json::parse(likelihood::to_json(result));
    const auto length = static_cast<std::size_t>(result.draws);
    const auto chains = static_cast<std::size_t>(result.chains);
    const std::size_t traced_chains = std::min<std::size_t>(chains, 8);
    const auto traced = kept_rows(length, most_traced);
    const auto paired = kept_rows(length * chains, most_pairs);
    json["trace_draws"] = traced;
    json["traces"] = json["pairs"] = Json::array();
    for (const likelihood::Chains& parameter : draws.parameters) {
        Json traces = Json::array(), pairs = Json::array();
        for (std::size_t c = 0; c < traced_chains; ++c) {
            Json trace = Json::array();
            for (const std::size_t d : traced) trace.push_back(parameter[c][d]);
            traces.push_back(trace);
        }
        for (const std::size_t row : paired) pairs.push_back(parameter[row / length][row % length]);
        json["traces"].push_back(traces);
        json["pairs"].push_back(pairs);
    }
    return json;
}

}  // namespace tessera::app
