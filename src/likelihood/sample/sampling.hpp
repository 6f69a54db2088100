// A whole sampling: the climb to the most probable model, the curvature there, and the chains.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "likelihood/sample/draw.hpp"
#include "likelihood/sample/metric.hpp"
#include "likelihood/sample/scouts.hpp"

namespace tessera::likelihood {

enum class Sampler { nuts, ensemble };

/// All numbers that decide a sampling.
struct SamplePlan {
    Sampler sampler = Sampler::nuts;
    int chains = 4;  ///< of an ensemble: walkers, an even number
    int warmup = 1000, draws = 1000;
    double target_acceptance = 0.8;
    int most_doublings = 10;
    std::uint64_t seed = 1;
    double noise = 1e-9;  ///< relative error of the values of the objective
    /// Hills that nuts looks for and samples with a metric each: at most so many, and no more than
    /// there are chains. 1: none is looked for.
    int most_hills = 1;
    static constexpr int any_hills = 0;  ///< as many as there are chains

    int hills() const;              ///< to look for; 1: none is looked for
    std::int64_t scouting() const;  ///< gradients that scouts of hills may take
};

/// The state of a sampling after a batch.
struct SampleProgress {
    std::string stage;  ///< "climb", "hills", "warm-up", "draws"
    std::int64_t done = 0, total = 0;
    std::int64_t evaluations = 0;  ///< of values and of gradients
};

struct Samples {
    Point top;  ///< the most probable model that the climb found, in the cube
    std::vector<std::vector<Draw>> draws;  ///< [chain][draw]
    std::int64_t evaluations = 0, slope_evaluations = 0;
    Matrix covariance;             ///< at the top, over the unbounded coordinates
    std::vector<FoundHill> hills;  ///< those that chains changed between; empty: only one is known
};

/// No chain can start.
struct CannotStart : Error {
    using Error::Error;
};

/// Draws from the posterior. Chains start near the top of the hill on which `start` lies (in the
/// cube). All chains share each batch of evaluations. The result depends only on the plan and on
/// the answers of the objective. Throws CannotStart.
Samples draw_samples(Objective& objective, const Posterior& posterior, const Point& start,
                     const SamplePlan& plan,
                     const std::function<void(const SampleProgress&)>& watch = {});

}  // namespace tessera::likelihood
