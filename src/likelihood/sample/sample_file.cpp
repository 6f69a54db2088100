// The groups of a sampling in its file (declared in sample_result.hpp).
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

#include "io/hdf5/dimensions.hpp"
#include "io/hdf5/result_values.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/fit/shared_record.hpp"
#include "likelihood/sample/sample_result.hpp"

namespace tessera::likelihood {

namespace {

using io::h5::Group;
using io::h5::Shape;

template <class Rows, class Value>
auto column(const Rows& rows, const Value& value) {
    std::vector<std::decay_t<decltype(std::invoke(value, rows.front()))>> values;
    values.reserve(rows.size());
    for (const auto& row : rows) values.push_back(std::invoke(value, row));
    return values;
}

struct SummaryColumn {
    const char* name;
    double Summary::*value;
};
constexpr SummaryColumn summary_columns[] = {{"mean", &Summary::mean},
                                             {"sd", &Summary::sd},
                                             {"q5", &Summary::q5},
                                             {"median", &Summary::median},
                                             {"q95", &Summary::q95},
                                             {"r_hat", &Summary::r_hat},
                                             {"ess_bulk", &Summary::bulk_ess},
                                             {"ess_tail", &Summary::tail_ess}};

void write_summary(Group& root, const SampleResult& result, const Samples& samples,
                   const SamplePlan& plan) {
    Group group = root.group("sample");
    group.write_attribute("method", result.method);
    group.write_attribute("chains", result.chains);
    group.write_attribute("warmup", result.warmup);
    group.write_attribute("draws", result.draws);
    group.write_attribute("seed", plan.seed);
    group.write_attribute("converged", static_cast<std::uint8_t>(result.converged));
    group.write_attribute("evaluations", result.evaluations);
    group.write_attribute("gradient_evaluations", result.gradient_evaluations);
    group.write_attribute("diverging", result.diverging);
    group.write_attribute("acceptance", result.acceptance);
    if (result.tried_jumps > 0) {
        group.write_attribute("tried_jumps", result.tried_jumps);
        group.write_attribute("jumps", result.jumps);
    }
    if (result.wedges > 1) {
        group.write_attribute("wedges", result.wedges);
        group.write_attribute("number_of_stars", result.number_of_stars);
    }
    write_shared(group, result.free);
    write_hills(group, result.hills);
    group.write_strings("names", column(result.free, &FreeParameter::name));
    group.write_strings("units",
                        column(result.free, [](const auto& one) { return unit_of(one.name); }));
    group.write_strings("priors", result.priors);
    group.write("lower_bounds", column(result.free, &FreeParameter::lower));
    group.write("upper_bounds", column(result.free, &FreeParameter::upper));
    group.write("top", result.top);
    for (const auto& [name, value] : summary_columns)
        group.write(name, column(result.summaries, value));
    const auto n = static_cast<std::uint64_t>(samples.covariance.n);
    group.write("covariance_at_top", samples.covariance.values, {n, n});
    Group fixed = group.group("fixed");
    fixed.write_strings("names", column(result.fixed, &FixedParameter::name));
    fixed.write_strings("units",
                        column(result.fixed, [](const auto& one) { return unit_of(one.name); }));
    fixed.write("values", column(result.fixed, &FixedParameter::value));
}

/// A group whose datasets all have the axes chain and draw.
class DrawGroup {
  public:
    DrawGroup(Group& root, const std::string& name, const SampleResult& result)
        : group_(root.group(name)),
          shape_{static_cast<std::uint64_t>(result.chains),
                 static_cast<std::uint64_t>(result.draws)} {
        for (const auto& [axis, length] :
             {std::pair("chain", result.chains), std::pair("draw", result.draws)}) {
            std::vector<std::int64_t> numbers(static_cast<std::size_t>(length));
            std::iota(numbers.begin(), numbers.end(), 0);
            group_.write(axis, numbers);
        }
    }

    template <class T>
    io::h5::Dataset write(const std::string& name, const std::vector<T>& values,
                          const std::string& units = "") {
        names_.push_back(name);
        return group_.write(name, values, shape_, {units, {}, 0});
    }
    void write_flags(const std::string& name, const std::vector<std::int8_t>& values) {
        write(name, values).write_attribute("dtype", "bool");  // xarray reads it as booleans
    }
    void name_axes() const { io::h5::name_dimensions(group_, {"chain", "draw"}, names_); }

  private:
    Group group_;
    Shape shape_;
    std::vector<std::string> names_;
};

std::vector<double> flat(const Chains& chains) {
    std::vector<double> values;
    for (const auto& chain : chains) values.insert(values.end(), chain.begin(), chain.end());
    return values;
}

template <class OfDraw>
auto flat(const Samples& samples, const OfDraw& of_draw) {
    std::vector<decltype(of_draw(samples.draws.front().front()))> values;
    for (const auto& chain : samples.draws)
        for (const Draw& draw : chain) values.push_back(of_draw(draw));
    return values;
}

void write_statistics(Group& root, const SampleResult& result, const SampleDraws& draws,
                      const Samples& samples, const SamplePlan& plan) {
    DrawGroup group(root, "sample_stats", result);
    group.write("lp", flat(draws.log_posterior));
    group.write("search_likelihood", flat(draws.likelihood));
    if (plan.sampler == Sampler::ensemble) {
        group.write_flags("accepted", flat(samples, [](const Draw& draw) {
                              return static_cast<std::int8_t>(draw.acceptance > 0);
                          }));
    } else {
        group.write("acceptance_rate", flat(samples, [](const Draw& d) { return d.acceptance; }));
        group.write("step_size", flat(samples, [](const Draw& d) { return d.step_size; }));
        group.write("energy", flat(samples, [](const Draw& d) { return d.energy; }));
        group.write("tree_depth", flat(samples, [](const Draw& d) { return d.depth; }));
        group.write("n_steps", flat(samples, [](const Draw& d) { return d.leaps; }));
        group.write_flags("diverging", flat(samples, [](const Draw& draw) {
                              return static_cast<std::int8_t>(draw.diverging);
                          }));
        group.write_flags("reached_max_treedepth", flat(samples, [&](const Draw& draw) {
                              return static_cast<std::int8_t>(draw.depth >= plan.most_doublings);
                          }));
        if (result.hills.known())
            group.write("hill", flat(samples, [](const Draw& draw) { return draw.hill; }));
        if (result.tried_jumps > 0)
            group.write_flags("jumped", flat(samples, [](const Draw& draw) {
                                  return static_cast<std::int8_t>(draw.jump ==
                                                                  JumpOutcome::accepted);
                              }));
    }
    group.name_axes();
}

}  // namespace

void write_sample(io::h5::Group root, const SampleResult& result, const SampleDraws& draws,
                  const Samples& samples, const SamplePlan& plan) {
    write_summary(root, result, samples, plan);
    DrawGroup posterior(root, "posterior", result);
    for (std::size_t i = 0; i < result.free.size(); ++i)
        posterior.write(result.free[i].name, flat(draws.parameters[i]),
                        unit_of(result.free[i].name));
    posterior.name_axes();
    write_statistics(root, result, draws, samples, plan);
}

SampleResult read_sample_result(const io::h5::Group& root) {
    const Group group = root.open_group("sample");
    const std::uint64_t n = io::length_of(group, "names");
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t most = 1'000'000'000;
    SampleResult result;
    result.method = group.read_attribute<std::string>("method");
    result.chains = io::attribute_within(group, "chains", 1, most);
    result.warmup = io::attribute_within(group, "warmup", 0, most);
    result.draws = io::attribute_within(group, "draws", 1, most);
    result.converged = group.read_attribute<std::uint8_t>("converged") != 0;
    result.evaluations = io::attribute_within(group, "evaluations", 0, any);
    result.gradient_evaluations = io::attribute_within(group, "gradient_evaluations", 0, any);
    result.diverging = io::attribute_within(group, "diverging", 0, any);
    result.acceptance = io::finite_attribute(group, "acceptance");
    if (group.has_attribute("tried_jumps")) {
        result.tried_jumps = io::attribute_within(group, "tried_jumps", 0, any);
        result.jumps = io::attribute_within(group, "jumps", 0, result.tried_jumps);
    }
    const auto names = io::read_shaped_texts(group, "names", n);
    const auto lower = io::read_finite(group, "lower_bounds", {n});
    const auto upper = io::read_finite(group, "upper_bounds", {n});
    for (std::size_t i = 0; i < names.size(); ++i)
        result.free.push_back({names[i], 0, lower[i], upper[i]});
    if (group.has_attribute("wedges")) {
        result.wedges = io::attribute_within(group, "wedges", 1, 1 << 20);
        result.number_of_stars = io::attribute_within(group, "number_of_stars", 1, any);
    }
    read_shared(group, result.wedges, result.free);
    result.hills = read_hills(group, n);
    result.priors = io::read_shaped_texts(group, "priors", n);
    result.top = io::read_finite(group, "top", {n});
    result.summaries.resize(names.size());
    for (const auto& [name, value] : summary_columns) {
        const auto numbers = io::read_shaped<double>(group, name, {n});
        for (std::size_t i = 0; i < names.size(); ++i) result.summaries[i].*value = numbers[i];
    }
    const Group fixed = group.open_group("fixed");
    const std::uint64_t count = io::length_of(fixed, "names");
    const auto fixed_names = io::read_shaped_texts(fixed, "names", count);
    const auto values = io::read_finite(fixed, "values", {count});
    for (std::size_t i = 0; i < count; ++i) result.fixed.push_back({fixed_names[i], values[i]});
    return result;
}

SampleDraws read_sample_draws(const io::h5::Group& root, const SampleResult& result) {
    const Shape shape{static_cast<std::uint64_t>(result.chains),
                      static_cast<std::uint64_t>(result.draws)};
    const auto read = [&](const Group& group, const std::string& name) {
        const auto values = io::read_finite(group, name, shape);
        Chains chains;
        for (auto begin = values.begin(); begin != values.end(); begin += result.draws)
            chains.emplace_back(begin, begin + result.draws);
        return chains;
    };
    const Group posterior = root.open_group("posterior"), stats = root.open_group("sample_stats");
    SampleDraws draws;
    for (const FreeParameter& one : result.free)
        draws.parameters.push_back(read(posterior, one.name));
    draws.log_posterior = read(stats, "lp");
    draws.likelihood = read(stats, "search_likelihood");
    return draws;
}

}  // namespace tessera::likelihood
