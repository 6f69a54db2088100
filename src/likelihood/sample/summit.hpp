// The top of a density over unbounded coordinates, and its curvature.
#pragma once

#include <functional>
#include <vector>

#include "likelihood/fit/small_matrix.hpp"
#include "likelihood/sample/posterior.hpp"

namespace tessera::likelihood {

struct Summit {
    Point at;
    Matrix covariance;  ///< of the normal density with the same curvature
};

/// The densities of points, with gradients.
using DensitiesOf = std::function<std::vector<Density>(const std::vector<Point>&)>;

/// Climbs from a point by Newton's steps. The covariance is the inverse of minus the Hessian with
/// the absolute values of its eigenvalues (Dauphin et al. 2014), so steps rise from a saddle, too.
/// Directions with little curvature get that of the prior.
Summit find_summit(Point from, const DensitiesOf& densities_of);

}  // namespace tessera::likelihood
