// The likelihood's curvature at its maximum and what it says about the parameters' errors.
#pragma once

#include <vector>

#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/small_matrix.hpp"

namespace tessera::likelihood {

/// Minus the Hessian over the coordinates `loose` at `at`, by central differences of slopes, in one
/// batch; `steps` (in the cube) one a loose coordinate. Points outside the cube are not asked for:
/// near a bound the difference is lopsided.
Matrix difference_curvature(Objective& objective, const Space& space, const Point& at,
                            const std::vector<std::size_t>& loose,
                            const std::vector<double>& steps);

/// What a fit can say about a coordinate.
enum class Verdict { determined, at_lower_bound, at_upper_bound, unconstrained };

struct ErrorEstimate {
    Matrix covariance;  ///< in the cube's unit; NaN where a coordinate is not determined
    std::vector<Verdict> verdicts;
    double steepest_saddle = 0;  ///< the most negative curvature there is, 0 at a maximum
};

/// From `information`, minus the Hessian of the natural logarithm of the likelihood over the
/// coordinates `loose` of `at`. A combination of coordinates whose standard error exceeds a quarter
/// of the cube is not constrained by the data; a coordinate that it moves by a tenth of the cube or
/// more is unconstrained. The others' covariance is the inverse over the constrained combinations.
ErrorEstimate estimate_errors(const Matrix& information, const Point& at,
                              const std::vector<std::size_t>& loose);

/// Gain that a Newton step promises, over the combinations whose curvature is `least` or more.
double promised_gain(const Matrix& curvature, const Point& gradient, double least);

/// With its eigenvalues made positive, `least` or more.
Matrix made_positive(const Matrix& curvature, double least);

}  // namespace tessera::likelihood
