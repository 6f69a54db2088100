#include "likelihood/fit/fit_course.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tessera::likelihood {

namespace {

using Watch = std::function<void(const FitProgress&)>;

constexpr int most_left_maxima = 3;

/// The maximum above `from`, with the record of the maximum that was there before.
Maximum climbed_from(const Point& from, Objective& objective, const Space& space, MaximisePlan plan,
                     Maximum before) {
    plan.method = Method::quasi_newton;
    plan.asynchronous = false;
    plan.population = plan.generations = plan.starts = 1;
    plan.patience = 0;
    plan.given = {from};
    Maximum found = maximise(objective, space, plan);
    const auto evaluations = before.evaluations + before.slope_evaluations;
    std::int32_t searches = 0;
    for (const HistoryRow& row : before.history) searches = std::max(searches, row.search + 1);
    for (HistoryRow& row : found.history) {
        row.evaluation += evaluations;
        row.search += searches;
    }
    before.history.insert(before.history.end(), found.history.begin(), found.history.end());
    found.history = std::move(before.history);
    std::ranges::move(before.climbs, std::back_inserter(found.climbs));
    std::ranges::stable_sort(found.climbs, std::ranges::greater{}, &Candidate::value);
    found.start = before.start;
    found.evaluations += before.evaluations;
    found.slope_evaluations += before.slope_evaluations;
    return found;
}

/// Adds the profiles. Returns a point that is higher than the maximum, or an empty one.
Point add_profiles(FitCourse& course, Objective& objective, const Space& space,
                   const MaximisePlan& plan, const std::vector<std::size_t>& parameters,
                   const Watch& watch) {
    Profiles found = profile_likelihood(objective, space, plan, course.maximum, parameters, watch);
    course.maximum.slope_evaluations += found.slope_evaluations;
    course.profiles = std::move(found.of);
    return found.better ? found.better->at : Point{};
}

}  // namespace

FitCourse run_course(const FitData& data, const Space& space, const MaximisePlan& plan,
                     const ErrorPlan& errors, const Watch& watch) {
    Objective& objective = data.objective;
    FitCourse course;
    course.maximum = maximise(objective, space, plan, watch, data.steady);
    if (course.maximum.climbs.empty()) return course;  // no point has a likelihood
    while (!errors.profiles.empty()) {
        const Point better = add_profiles(course, objective, space, plan, errors.profiles, watch);
        if (better.empty() || course.left_maxima == most_left_maxima) break;
        ++course.left_maxima;
        course.maximum = climbed_from(better, objective, space, plan, std::move(course.maximum));
    }
    course.drops = drops_around(objective, space, course.maximum, plan.log_likelihood_unit);
    course.maximum.evaluations += checked_points(course.drops);
    const auto before = course.maximum.evaluations + course.maximum.slope_evaluations;
    course.refits = bootstrap(data.refitter, course.maximum.best, errors.sets, before, watch);
    return course;
}

}  // namespace tessera::likelihood
