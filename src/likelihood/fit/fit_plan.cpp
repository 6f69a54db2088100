#include "likelihood/fit/fit_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::likelihood {

MaximisePlan resolved_plan(const io::FitSettings& settings, const StreamSpace& space,
                           const StreamModel& model, std::size_t stars, double tolerance) {
    const int free = static_cast<int>(space.dimension());
    MaximisePlan plan;
    plan.method = settings.method == "particle-swarm" ? Method::particle_swarm
                  : settings.method == "quasi-newton" ? Method::quasi_newton
                                                      : Method::differential_evolution;
    const bool samples_only = plan.method == Method::quasi_newton;
    plan.population = settings.population > 0 ? settings.population
                                              : std::max(20, (samples_only ? 20 : 8) * free);
    plan.generations = samples_only               ? 1
                       : settings.generations > 0 ? settings.generations
                                                  : std::max(50, 4 * free);
    plan.starts = settings.starts;
    plan.patience = settings.variations;
    plan.tolerance = settings.tolerance;
    plan.seed = settings.seed;
    if (settings.start == "file") {
        space.require_within(model);
        plan.given = {space.point(model)};
    }
    plan.log_likelihood_unit = static_cast<double>(stars) * std::numbers::ln10;
    plan.noise = tolerance;
    return plan;
}

io::FitSettings with_defaults(io::FitSettings settings, const MaximisePlan& plan,
                              const StreamSpace& space) {
    settings.population = plan.population;
    settings.generations = plan.generations;
    settings.free.clear();
    settings.bounds.clear();
    for (const FreeParameter& one : space.free()) {
        settings.free.push_back(one.name);
        settings.bounds.push_back({one.name, one.lower, one.upper});
    }
    return settings;
}

}  // namespace tessera::likelihood
