// Looks for other hills of a posterior before chains begin.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "likelihood/sample/posterior.hpp"
#include "likelihood/sample/summit.hpp"

namespace tessera::likelihood {

/// A summit with its density, and the integral over a normal hill of this curvature (Laplace).
struct FoundHill {
    Point at;  ///< over the unbounded coordinates
    Matrix covariance;
    double log_density = rejected;
    double log_weight = rejected;
};

/// What scouts ask.
struct ScoutedPosterior {
    const Posterior& posterior;
    std::function<std::vector<Slope>(const std::vector<Point>&)> slopes;  ///< likelihood and prior
    DensitiesOf densities;                                                ///< with gradients
    DensitiesOf log_densities;                                            ///< without
};

struct ScoutPlan {
    std::size_t most_hills = 0;
    std::int64_t gradients = 0;  ///< at most so many for all climbs
    double noise = 1e-9;         ///< relative error of the values of the objective
    std::uint64_t seed = 1;
};

/// The hill of `first`, and others that climbs find from where the axis of a stream is tilted, in
/// the order of their weights. Another hill has a dip of the density on the straight line to each
/// hill before, and is not much lower than the highest one. Hills are given as the points
/// equivalent to them that are nearest to `top` (in the cube).
std::vector<FoundHill> scout_hills(const ScoutedPosterior& asked, const Point& top,
                                   const Summit& first, const ScoutPlan& plan);

/// Streams whose direction is free.
std::size_t number_of_free_axes(const StreamSpace& space);

/// The gradients that climbs of scouts are expected to take, of `affordable` ones at most. 0: there
/// are no scouts.
std::int64_t expected_scouting(std::size_t axes, std::int64_t affordable);

/// A hill with its weight.
FoundHill hill_at(const Summit& summit, double log_density);

/// The point of the cube with the axis of a stream tilted by a random angle up to a quarter of a
/// turn; `theta` and `phi`: its coordinates. `at` itself if the bounds leave no such axis.
Point with_tilted_axis(const StreamSpace& space, const Point& at, std::size_t theta,
                       std::size_t phi, RandomStream& random);

}  // namespace tessera::likelihood
