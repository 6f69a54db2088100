// Densities whose moments are known, over unbounded coordinates.
#pragma once

#include <cmath>
#include <vector>

#include "likelihood/fit/small_matrix.hpp"
#include "likelihood/sample/posterior.hpp"

namespace tessera::test {

using likelihood::Density;
using likelihood::Matrix;
using likelihood::Point;

/// A normal density with this mean and precision (the inverse of the covariance).
inline auto normal_density(Point mean, Matrix precision) {
    return [=](const Point& at) {
        Point away = at;
        for (std::size_t i = 0; i < at.size(); ++i) away[i] -= mean[i];
        Density density{0, likelihood::product(precision, away), 0};
        density.log = -likelihood::dot(away, density.gradient) / 2;
        for (double& x : density.gradient) x = -x;
        return density;
    };
}

/// The logarithms of independent numbers with exponential distributions: the mean is minus Euler's
/// constant, the variance pi^2 / 6, the third central moment -2 zeta(3).
inline Density gumbel_density(const Point& at) {
    Density density{0, Point(at.size(), 0.0), 0};
    for (std::size_t i = 0; i < at.size(); ++i) {
        density.log += at[i] - std::exp(at[i]);
        density.gradient[i] = 1 - std::exp(at[i]);
    }
    return density;
}

}  // namespace tessera::test
