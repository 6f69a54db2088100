// The metric that is learnt from draws and their gradients.
#pragma once

#include <vector>

#include "likelihood/fit/small_matrix.hpp"
#include "likelihood/sample/posterior.hpp"

namespace tessera::likelihood {

struct Moments {
    Point mean;
    Matrix covariance;
};

/// The mean and the covariance of points. Five points more, whose covariance is the unit matrix,
/// make the covariance definite.
Moments pulled_moments(const std::vector<Point>& points);

/// outer inner outer, for symmetric matrices.
Matrix between(const Matrix& outer, const Matrix& inner);

/// The matrix G with G cov(gradients) G = cov(points). In the coordinates where it is the unit
/// matrix, the gradients of the draws are nearest to those of a standard normal density: it
/// minimises the Fisher divergence (Seyboldt, Carlson & Carpenter 2026, the dense form). For a
/// normal density G is its covariance, however few the draws. Five draws more, for which `before`
/// is right, make it definite. Returns `before` if that is not enough.
Matrix estimated_metric(const std::vector<Image>& draws, const Matrix& before);

}  // namespace tessera::likelihood
