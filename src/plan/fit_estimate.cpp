// How long a fit takes: the number of evaluations times the time of one (declared in
// likelihood_plan.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "likelihood/fit/fit_plan.hpp"
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

LocalPlan plan_fit(const likelihood::LikelihoodInput& input, const io::FitSettings& settings,
                   const PlanRequest& request) {
    LocalPlan plan;
    std::vector<likelihood::WedgeInput> wedges;
    likelihood::MaximisePlan course;
    likelihood::ErrorPlan errors;
    std::size_t free = 0;
    const double reading = seconds_of([&] {
        wedges = likelihood::read_wedges(input);
        const likelihood::StreamModel& model = wedges.front().model;
        auto parameters = likelihood::free_parameters(model, settings);
        if (parameters.empty())
            throw Error("there is nothing to fit", "no parameter is free",
                        "name the free parameters in [fit] free = [...]");
        const likelihood::StreamSpace space(model, std::move(parameters));
        free = space.dimension();
        course = likelihood::resolved_plan(settings, space, model, wedges.front().stars.size(),
                                           input.evaluation.tolerance);
        errors = likelihood::error_plan(settings, space);
    });
    const likelihood::WedgeInput& wedge = wedges.front();
    FitEvaluations count = expected_evaluations(course, free);
    const FitEvaluations after = error_evaluations(errors, free);
    count.values += after.values;
    count.gradients += after.gradients;
    plan.before = {{"start program", request.program_start_seconds, Basis::measured},
                   {"reading", reading, Basis::measured}};
    plan.notes = likelihood::warnings_of(input, wedges);
    plan.notes.push_back(fmt::format("{} free parameters, {} stars: about {:.0f} values and {:.0f} "
                                     "gradients, judged by similar fits; this fit may need half or "
                                     "twice as many",
                                     free, wedge.stars.size(), count.values, count.gradients));
    if (after.gradients > 0)
        plan.notes.push_back(fmt::format("of these, profiles and bootstrap: about {:.0f} gradients",
                                         after.gradients));
    plan.job = {"fit", "evaluations", count.values + count.gradients, 0, "fit"};
    const CompressedSeconds each = time_evaluations(input, wedge, free, request, plan.rank);
    if (!plan.rank.can_run()) return plan;
    const double values = count.values * each.value_of_many,
                 gradients = count.gradients * each.gradient;
    plan.rank.item_seconds = (values + gradients) / plan.job.items;
    plan.job.serial_share = serial_gradients * gradients / (values + gradients);
    plan.job.tiles = static_cast<std::int64_t>(plan.job.items);
    plan.after = {{"write result", 0.02, Basis::table}};
    return plan;
}

}  // namespace tessera::plan
