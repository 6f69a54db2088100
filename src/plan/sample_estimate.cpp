// How long a sampling takes: the number of evaluations times the time of one (declared in
// likelihood_plan.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/likelihood_plan.hpp"

#include "io/text/counted.hpp"

namespace tessera::plan {

namespace {

using likelihood::SamplePlan;
using likelihood::Sampler;

// Gradients of the climb from the best model of a fit or near it, and of each of the Newton steps
// after it: two for each parameter, and eight points along the step (likelihood/sample/summit.cpp).
constexpr double climb_gradients = 30, newton_steps = 4, line_points = 8;
// Gradients for each draw of NUTS (docs/method/plan.md): few_gradients with one parameter, and more
// with each further one, because posteriors of more parameters are less like a normal one.
constexpr double few_gradients = 5.5, growth = 0.14;
// Seconds for each draw of each parameter, to summarise it.
constexpr double summary_seconds = 3e-6;

double gradients_per_draw(const SamplePlan& plan, std::size_t free) {
    const double longest = std::ldexp(1, plan.most_doublings) - 1;
    return std::min(longest, few_gradients * std::exp(growth * static_cast<double>(free - 1)));
}

double all_draws(const SamplePlan& plan) {
    return static_cast<double>(plan.chains) * (plan.warmup + plan.draws);
}

/// Evaluations that can be done at the same time.
std::int64_t at_once(const SamplePlan& plan) {
    return plan.sampler == Sampler::nuts ? plan.chains : plan.chains / 2;
}

}  // namespace

SampleEvaluations expected_evaluations(const SamplePlan& plan, std::size_t free, std::size_t axes) {
    const double chains = plan.chains, step = 2 * static_cast<double>(free) + line_points;
    SampleEvaluations count;
    count.start.gradients = climb_gradients + newton_steps * step;
    if (plan.sampler == Sampler::nuts) {
        count.start.gradients += chains;
        count.scouts.gradients =
            static_cast<double>(likelihood::expected_scouting(axes, plan.scouting()));
        count.draws.gradients = all_draws(plan) * gradients_per_draw(plan, free);
    } else {
        count.start.values = chains;
        count.draws.values = all_draws(plan);
    }
    return count;
}

SampleBytes expected_bytes(const SamplePlan& plan, std::size_t free, std::size_t axes) {
    const auto numbers = static_cast<double>(free);
    const bool nuts = plan.sampler == Sampler::nuts;
    const double kept = static_cast<double>(plan.chains) * plan.draws;
    const SampleEvaluations count = expected_evaluations(plan, free, axes);
    SampleBytes bytes;
    // A draw with its point, and with its gradient if it has one. Then its values, once more.
    bytes.memory = kept * (sizeof(likelihood::Draw) + 8 * ((nuts ? 3 : 2) * numbers + 2));
    bytes.result = kept * (8 * (numbers + 2) + (nuts ? 34 : 1));
    bytes.journal =
        8 * ((numbers + 1) * count.gradients() + count.start.values + count.draws.values);
    return bytes;
}

LocalPlan plan_sample(const likelihood::LikelihoodInput& input,
                      const likelihood::SampleChoices& choices, const PlanRequest& request) {
    LocalPlan plan;
    likelihood::SampleProblem problem;
    const double reading =
        seconds_of([&] { problem = likelihood::read_sample_problem(input, choices); });
    const SamplePlan& course = problem.plan;
    const std::size_t free = problem.fit.space->dimension();
    const std::size_t axes = likelihood::number_of_free_axes(*problem.fit.space);
    const SampleEvaluations count = expected_evaluations(course, free, axes);
    const SampleBytes bytes = expected_bytes(course, free, axes);
    plan.before = {{"start program", request.program_start_seconds, Basis::measured},
                   {"reading", reading, Basis::measured}};
    plan.notes = likelihood::warnings_of(input, problem.fit.wedges);
    const double values = count.start.values + count.draws.values;
    plan.notes.push_back(fmt::format(
        "{}{}, {}, {} of {} after {} of warm-up: about {}{:.0f} "
        "gradients, judged by similar samplings; this one may need half or twice as many",
        problem.fit.wedges.size() == 1 ? "" : fmt::format("{} wedges, ", problem.fit.wedges.size()),
        io::counted(free, "free parameter"), io::counted(problem.fit.number_of_stars(), "star"),
        io::counted(course.chains, "chain"), io::counted(course.draws, "draw"), course.warmup,
        values > 0 ? fmt::format("{:.0f} values and ", values) : "", count.gradients()));
    if (count.scouts.gradients > 0)
        plan.notes.push_back(
            fmt::format("of these, scouts that look for other hills: about {:.0f} gradients",
                        count.scouts.gradients));
    plan.notes.push_back(fmt::format(
        "draws: {:.3g} MB of memory on rank 0, {:.3g} MB of the result; the folder beside it grows "
        "to about {:.3g} MB until the sampling ends",
        bytes.memory * 1e-6, bytes.result * 1e-6, bytes.journal * 1e-6));
    plan.job = {"sample", "evaluations", std::round(values + count.gradients()),
                at_once(course) * std::ssize(problem.fit.wedges), "sample"};
    const auto wedges = static_cast<double>(problem.fit.wedges.size());
    // As for a fit: the wedge with the most stars stands for all.
    const auto wedge = std::ranges::max_element(problem.fit.wedges, {},
                                                [](const auto& one) { return one.stars.size(); });
    const CompressedSeconds each = time_evaluations(input, *wedge, free, request, plan.rank);
    if (!plan.rank.can_run()) return plan;
    const double start =
        wedges * (count.start.values * each.value + count.start.gradients * each.gradient);
    const double draws =
        wedges * (count.draws.values * each.value_of_many +
                  (count.scouts.gradients + count.draws.gradients) * each.gradient);
    plan.rank.item_seconds = (start + draws) / plan.job.items;
    plan.job.serial_share = start / (start + draws);
    const double summaries = summary_seconds * static_cast<double>(free * course.chains) *
                             static_cast<double>(course.draws);
    plan.after = {{"diagnostics", summaries, Basis::table},
                  {"write result", 0.02 + bytes.result / 1e9, Basis::table}};
    return plan;
}

}  // namespace tessera::plan
