// A quadratic through scattered values, by least squares.
#pragma once

#include <optional>
#include <span>

#include "likelihood/fit/population_search.hpp"
#include "likelihood/fit/small_matrix.hpp"

namespace tessera::likelihood {

/// value + gradient x + x curvature x / 2 around x = 0.
struct Quadratic {
    double value = 0;
    Point gradient;
    Matrix curvature;  ///< minus the Hessian
};

/// Coefficients of a quadratic in `dimension` variables: value, gradient and Hessian.
std::size_t quadratic_terms(std::size_t dimension);

/// The quadratic that fits the values of `points` best. With fewer points than its terms times 1.2
/// it is one without mixed terms. Nothing if there are too few points for that, or if they do not
/// determine it. The points are of the order of 1.
std::optional<Quadratic> fitted_quadratic(std::span<const Candidate> points);

/// The step from 0 to the maximum of `model`, whose curvature is made positive. It is made shorter
/// until no coordinate exceeds `longest`.
Point newton_step(const Quadratic& model, double longest);

/// What `model` promises for a step from 0.
double promised(const Quadratic& model, const Point& step);

}  // namespace tessera::likelihood
