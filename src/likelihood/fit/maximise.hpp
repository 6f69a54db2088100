// A whole fit: populations search, quasi-Newton climbs finish, parts of the best point are drawn
// anew, the curvature tells the errors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "likelihood/fit/curvature.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/population_search.hpp"

namespace tessera::likelihood {

enum class Method { differential_evolution, particle_swarm, quasi_newton };

/// Every number set; resolved_plan() of fit_plan.hpp chooses them.
struct MaximisePlan {
    Method method = Method::differential_evolution;
    int population = 0, generations = 0, starts = 1;
    int climbs = 4;  ///< members of each population that are finished; distinct ones
    int climb_evaluations = 400;
    int variations = 100;  ///< of the best point, a turn
    int patience = 0;      ///< turns of variations in vain after which it is left at that
    double tolerance = 0;  ///< of a population (PopulationOptions)
    std::uint64_t seed = 1;
    std::vector<Point> given;  ///< first points that are not random
    /// Natural logarithm of the likelihood per unit of the objective: stars * ln 10.
    double log_likelihood_unit = 1;
    double gain = 1e-5;    ///< in log likelihood: a climb ends where its next step promises less
    double noise = 1e-11;  ///< relative error of the objective's values
};

/// The best of one search or climb after one more batch of evaluations.
struct HistoryRow {
    std::int64_t evaluation = 0;  ///< made so far, by all searches together
    std::int32_t search = 0;      ///< start of a population; climbs are numbered after them
    Candidate best;
};

struct Maximum {
    Candidate best, start;  ///< start: the best of the first generation
    ErrorEstimate errors;
    bool converged = false;
    std::vector<Candidate> climbs;  ///< all climbs' ends, best first
    std::vector<HistoryRow> history;
    std::int64_t evaluations = 0, slope_evaluations = 0;
};

/// What is going on, after each batch.
struct FitProgress {
    std::string stage;  ///< "search", "climb", "variation", "errors"
    std::int64_t step = 0, steps = 0;
    double best = rejected;
    std::int64_t evaluations = 0;  ///< of values and gradients, so far
};

/// Maximises `objective` over `space`. A function of the plan and of the objective's answers.
Maximum maximise(Objective& objective, const Space& space, const MaximisePlan& plan,
                 const std::function<void(const FitProgress&)>& watch = {});

}  // namespace tessera::likelihood
