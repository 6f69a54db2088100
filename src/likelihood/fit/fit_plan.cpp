#include "likelihood/fit/fit_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "core/error.hpp"
#include "io/text/counted.hpp"
#include "io/text/nearest_word.hpp"
#include "io/text/one_line.hpp"
#include "likelihood/fit/joint_parameters.hpp"

namespace tessera::likelihood {

namespace {

/// Newton's method needs more points than a quadratic in all parameters has coefficients.
int usual_population(Method method, int free) {
    if (method == Method::newton) return std::max(20, (free + 1) * (free + 2));
    return std::max(20, (method == Method::quasi_newton ? 20 : 8) * free);
}

void require_what_newton_needs(const MaximisePlan& plan, int free) {
    if (plan.method != Method::newton) return;
    if (!plan.asynchronous)
        throw Error("cannot search with method newton", "it is asynchronous only",
                    "add --asynchronous, or choose quasi-newton, which has exact gradients");
    const int least = 3 * free + 3;
    if (plan.population < least)
        throw Error(fmt::format("cannot search with a population of {}", plan.population),
                    fmt::format("method newton fits a quadratic in {} to it, which needs "
                                "at least {} points",
                                io::counted(free, "parameter"), least),
                    fmt::format("choose --population {} or more, or leave it out", least));
}

}  // namespace

MaximisePlan resolved_plan(const io::FitSettings& settings, const StreamSpace& space,
                           std::size_t stars, double tolerance) {
    const int free = static_cast<int>(space.dimension());
    MaximisePlan plan;
    plan.method = settings.method == "particle-swarm" ? Method::particle_swarm
                  : settings.method == "newton"       ? Method::newton
                  : settings.method == "quasi-newton" ? Method::quasi_newton
                                                      : Method::differential_evolution;
    const bool samples_only = plan.method == Method::quasi_newton;
    plan.population =
        settings.population > 0 ? settings.population : usual_population(plan.method, free);
    plan.generations = samples_only               ? 1
                       : settings.generations > 0 ? settings.generations
                                                  : std::max(50, 4 * free);
    plan.starts = settings.starts;
    plan.patience = settings.variations;
    plan.tolerance = settings.tolerance;
    plan.seed = settings.seed;
    plan.asynchronous = settings.asynchronous;
    plan.verify = settings.verify;
    require_what_newton_needs(plan, free);
    if (settings.start == "file") {
        space.require_within(space.models());
        plan.given = {space.point(space.models())};
    }
    plan.log_likelihood_unit = static_cast<double>(stars) * std::numbers::ln10;
    plan.noise = tolerance;
    return plan;
}

ErrorPlan error_plan(const io::FitSettings& settings, const StreamSpace& space) {
    ErrorPlan errors;
    errors.sets = settings.bootstrap;
    const auto& free = space.free();
    std::vector<std::string_view> names;
    names.reserve(free.size());
    for (const FreeParameter& one : free) names.push_back(one.name);
    for (const std::string& name : settings.profile) {
        bool found = name == "all";
        for (std::size_t i = 0; i < names.size(); ++i) found = found || is_called(free[i], name);
        if (!found)
            throw Error("cannot compute the profile of " + io::one_line(name, 40),
                        "it is not a free parameter of this fit",
                        fmt::format("did you mean '{}'?", io::nearest_word(name, names)));
        for (std::size_t i = 0; i < names.size(); ++i)
            if (is_called(free[i], name) &&
                std::ranges::find(errors.profiles, i) == errors.profiles.end())
                errors.profiles.push_back(i);
    }
    std::ranges::sort(errors.profiles);
    return errors;
}

io::FitSettings with_defaults(io::FitSettings settings, const MaximisePlan& plan,
                              const StreamSpace& space) {
    settings.population = plan.population;
    settings.generations = plan.generations;
    if (std::ranges::find(settings.profile, "all") != settings.profile.end())
        settings.profile = {"all"};
    settings.free.clear();
    settings.bounds.clear();
    settings.shared.clear();
    for (const FreeParameter& one : space.free()) {
        settings.free.push_back(one.name);
        settings.bounds.push_back({one.name, one.lower, one.upper});
        for (const ParameterPlace& place : one.places)
            settings.shared.push_back({joint_name(place.name, place.wedge), one.name});
    }
    return settings;
}

}  // namespace tessera::likelihood
