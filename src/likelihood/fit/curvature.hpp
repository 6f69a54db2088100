// The curvature of the likelihood at its maximum, and the errors of the parameters that follow from
// it.
#pragma once

#include <vector>

#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/small_matrix.hpp"

namespace tessera::likelihood {

/// Minus the Hessian over the coordinates `loose` at `at`, by central differences of slopes in one
/// batch. `steps` has one step (in the cube) for each loose coordinate. No point lies outside the
/// cube, so the difference is one-sided at a bound.
Matrix difference_curvature(Objective& objective, const Space& space, const Point& at,
                            const std::vector<std::size_t>& loose,
                            const std::vector<double>& steps);

/// Whether a fit determines a coordinate, and why not.
enum class Verdict { determined, at_lower_bound, at_upper_bound, unconstrained };

struct ErrorEstimate {
    Matrix covariance;  ///< in units of the cube; NaN if a coordinate is not determined
    std::vector<Verdict> verdicts;
    double steepest_saddle = 0;  ///< the most negative curvature; 0 at a maximum
};

/// `information` is minus the Hessian of the natural logarithm of the likelihood, over the
/// coordinates `loose` of `at`. The data do not constrain a combination of coordinates whose
/// standard error exceeds a quarter of the cube. A coordinate is unconstrained if a unit step along
/// these combinations moves it by a tenth of the cube or more. The covariance of the others is the
/// inverse over the constrained combinations.
ErrorEstimate estimate_errors(const Matrix& information, const Point& at,
                              const std::vector<std::size_t>& loose);

/// The gain that a Newton step promises, over the combinations with a curvature of at least
/// `least`.
double promised_gain(const Matrix& curvature, const Point& gradient, double least);

/// The matrix with its eigenvalues replaced by their absolute values, or by `least` if that is
/// larger.
Matrix made_positive(const Matrix& curvature, double least);

}  // namespace tessera::likelihood
