#include "likelihood/fit/profile_likelihood.hpp"

#include <algorithm>
#include <memory>

namespace tessera::likelihood {

namespace {

using Walks = std::vector<std::unique_ptr<ProfileWalk>>;

/// One batch of all walks that are not over. Returns the number of its points.
std::size_t one_batch(Objective& objective, const Walks& walks) {
    std::vector<Point> points;
    std::vector<ProfileWalk*> asking;
    for (const auto& walk : walks) {
        if (walk->over()) continue;
        points.push_back(walk->proposal());
        asking.push_back(walk.get());
    }
    if (points.empty()) return 0;
    const auto slopes = objective.slopes(points);
    for (std::size_t i = 0; i < asking.size(); ++i) asking[i]->accept(slopes[i]);
    return points.size();
}

void take_better(const Walks& walks, std::optional<Candidate>& better) {
    for (const auto& walk : walks)
        if (const auto& its = walk->better(); its && (!better || its->value > better->value))
            better = its;
}

std::int64_t ends_found(const Walks& walks) {
    std::int64_t count = 0;
    for (const auto& walk : walks) count += std::ssize(walk->ends());
    return count;
}

Profile joined(const ProfileWalk& below, const ProfileWalk& above, const Candidate& best) {
    Profile profile;
    profile.parameter = below.parameter();
    for (std::size_t level = 0; level < profile_levels.size(); ++level) {
        profile.lower[level] = below.ends()[level];
        profile.upper[level] = above.ends()[level];
    }
    profile.points = below.points();
    profile.points.push_back({best.at[profile.parameter], 0, best.at});
    profile.points.insert(profile.points.end(), above.points().begin(), above.points().end());
    std::ranges::stable_sort(profile.points, {}, &ProfilePoint::coordinate);
    return profile;
}

}  // namespace

Profiles profile_likelihood(Objective& objective, const Space& space, const MaximisePlan& plan,
                            const Maximum& maximum, const std::vector<std::size_t>& parameters,
                            const std::function<void(const FitProgress&)>& watch) {
    const ProfileStart start{
        space,
        maximum.best,
        maximum.curvature,
        plan.log_likelihood_unit,
        {plan.gain / plan.log_likelihood_unit, plan.noise, plan.climb_evaluations}};
    Walks walks;
    for (const std::size_t parameter : parameters)
        for (const int side : {-1, 1})
            walks.push_back(std::make_unique<ProfileWalk>(start, parameter, side));
    Profiles found;
    const auto before = maximum.evaluations + maximum.slope_evaluations;
    const auto steps = std::ssize(walks) * std::ssize(profile_levels);
    while (const std::size_t asked = one_batch(objective, walks)) {
        found.slope_evaluations += static_cast<std::int64_t>(asked);
        if (watch)
            watch({"profile", ends_found(walks), steps, maximum.best.value,
                   before + found.slope_evaluations});
        take_better(walks, found.better);
        if (found.better) return found;
    }
    for (std::size_t w = 0; w < walks.size(); w += 2)
        found.of.push_back(joined(*walks[w], *walks[w + 1], maximum.best));
    return found;
}

}  // namespace tessera::likelihood
