// How long a fit takes: the number of evaluations times the time of one (declared in
// likelihood_plan.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "io/text/counted.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "plan/likelihood_plan.hpp"

namespace tessera::plan {

namespace {

// Numbers of gradients in fits of 14 to 26 parameters (docs/method/fit.md, docs/method/plan.md):
// for each climb, for the last climb, and for each round of variations with its climbs.
constexpr double climb_gradients = 100, last_climb_gradients = 150, round_gradients = 500;
/// Rounds of variations for each round without improvement that the fit allows.
constexpr double rounds_per_patience = 2;
// Gradients of the profile of one parameter (4 ends, three or four climbs each of about 8 steps),
// and of the fit of a simulated set (docs/method/fit.md).
constexpr double profile_gradients = 100, refit_gradients = 30;
/// Share of the gradients that must wait for the gradient before.
constexpr double serial_gradients = 0.8;

}  // namespace

FitEvaluations expected_evaluations(const likelihood::MaximisePlan& plan, std::size_t free) {
    const bool samples_only = plan.method == likelihood::Method::quasi_newton;
    const double populations = samples_only ? 1 : plan.starts;
    const double climbs = samples_only ? plan.starts : plan.starts * plan.climbs;
    const double rounds = plan.patience > 1 ? rounds_per_patience * plan.patience : plan.patience;
    FitEvaluations count;
    count.values = populations * plan.population * plan.generations + rounds * plan.variations;
    count.gradients = climbs * climb_gradients + last_climb_gradients + rounds * round_gradients +
                      4 * static_cast<double>(free);
    return count;
}

FitEvaluations error_evaluations(const likelihood::ErrorPlan& errors, std::size_t free) {
    FitEvaluations count;
    count.values = 4 * static_cast<double>(free) + errors.sets;
    count.gradients = profile_gradients * static_cast<double>(errors.profiles.size()) +
                      refit_gradients * errors.sets;
    return count;
}

LocalPlan plan_fit(const likelihood::LikelihoodInput& input,
                   const std::function<io::FitSettings(const io::TextSource&)>& settings_of,
                   const PlanRequest& request) {
    LocalPlan plan;
    likelihood::FitProblem problem;
    const double reading =
        seconds_of([&] { problem = likelihood::read_fit_problem(input, settings_of); });
    const std::size_t free = problem.space->dimension();
    FitEvaluations count = expected_evaluations(problem.plan, free);
    const int numbers = problem.settings.most_streams - problem.settings.fewest_streams + 1;
    const int fits = numbers * (1 + problem.settings.folds);
    count.values *= fits, count.gradients *= fits;
    const FitEvaluations after = error_evaluations(problem.errors, free);
    count.values += after.values;
    count.gradients += after.gradients;
    plan.before = {{"start program", request.program_start_seconds, Basis::measured},
                   {"reading", reading, Basis::measured}};
    plan.notes = likelihood::warnings_of(input, problem.wedges);
    plan.notes.push_back(fmt::format("{}, {}: about {:.0f} values and {:.0f} "
                                     "gradients, judged by similar fits; this fit may need half or "
                                     "twice as many",
                                     io::counted(free, "free parameter"),
                                     io::counted(problem.number_of_stars(), "star"), count.values,
                                     count.gradients));
    if (numbers > 1)
        plan.notes.push_back(fmt::format("these are {} fits with other numbers of streams, judged "
                                         "by the one with most of them",
                                         fits));
    if (after.gradients > 0)
        plan.notes.push_back(fmt::format("of these, profiles and bootstrap: about {:.0f} gradients",
                                         after.gradients));
    plan.job = {"fit", "evaluations", count.values + count.gradients, 0, "fit"};
    // The device starts once, so that one wedge stands for all: the one with the most stars.
    const auto wedge = std::ranges::max_element(problem.wedges, {},
                                                [](const auto& one) { return one.stars.size(); });
    const CompressedSeconds each = time_evaluations(input, *wedge, free, request, plan.rank);
    if (!plan.rank.can_run()) return plan;
    const auto wedges = static_cast<double>(problem.wedges.size());
    const double values = wedges * count.values * each.value_of_many,
                 gradients = wedges * count.gradients * each.gradient;
    plan.rank.item_seconds = (values + gradients) / plan.job.items;
    plan.job.serial_share = serial_gradients * gradients / (values + gradients);
    plan.job.tiles = static_cast<std::int64_t>(plan.job.items);
    plan.after = {{"write result", 0.02, Basis::table}};
    return plan;
}

}  // namespace tessera::plan
