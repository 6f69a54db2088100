// A whole fit: populations search, quasi-Newton climbs start from the best points, variations
// redraw parts of the best point, and the curvature gives the errors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "likelihood/fit/curvature.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/population_search.hpp"

namespace tessera::likelihood {

enum class Method {
    differential_evolution,
    particle_swarm,
    newton,  ///< asynchronous only
    quasi_newton
};

class SteadyEvaluator;

/// All numbers that decide a fit. resolved_plan() of fit_plan.hpp chooses them.
struct MaximisePlan {
    Method method = Method::differential_evolution;
    int population = 0, generations = 0, starts = 1;
    bool asynchronous = false;  ///< populations move point by point (steady_search.hpp)
    double verify = 0;          ///< share of the points of the search to evaluate twice
    int climbs = 4;             ///< distinct members of each population from which climbs begin
    int climb_evaluations = 400;
    int variations = 100;  ///< variations of the best point in a round
    int patience = 0;      ///< stop after this many successive rounds without improvement
    double tolerance = 0;  ///< as in PopulationOptions
    std::uint64_t seed = 1;
    std::vector<Point> given;  ///< points of the first generation that are not random
    /// Natural logarithm of the likelihood per unit of the objective: stars * ln 10.
    double log_likelihood_unit = 1;
    double gain = 1e-5;    ///< a climb ends if its next step promises less, in log likelihood
    double noise = 1e-11;  ///< relative error of the values of the objective
};

/// The best of one search or climb after one more batch of evaluations.
struct HistoryRow {
    std::int64_t evaluation = 0;  ///< evaluations so far, of all searches together
    std::int32_t search = 0;      ///< number of a population; climbs are numbered after them
    Candidate best;
};

struct Maximum {
    Candidate best, start;  ///< start: the best of the first generation
    ErrorEstimate errors;
    /// Minus the Hessian of the objective over all coordinates, with its eigenvalues made positive.
    /// Coordinates at a bound do not mix with others.
    Matrix curvature;
    bool converged = false;
    std::vector<Candidate> climbs;  ///< ends of all climbs, best first
    std::vector<HistoryRow> history;
    std::int64_t evaluations = 0, slope_evaluations = 0;
};

/// The state of a fit after a batch.
struct FitProgress {
    std::string stage;  ///< "search", "climb", "variation", "errors"
    std::int64_t step = 0, steps = 0;
    double best = rejected;
    std::int64_t evaluations = 0;  ///< evaluations of values and gradients so far
};

/// Maximises `objective` over `space`. The result depends only on the plan and on the answers of
/// the objective. If the plan is asynchronous it also depends on their order. `steady` then has the
/// points of the search evaluated; null: the objective answers one after the other.
Maximum maximise(Objective& objective, const Space& space, const MaximisePlan& plan,
                 const std::function<void(const FitProgress&)>& watch = {},
                 SteadyEvaluator* steady = nullptr);

}  // namespace tessera::likelihood
