// Densities whose moments are known, over unbounded coordinates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
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

/// Two normal hills. The second is narrower, is `apart` away along all axes, and has `share` of the
/// probability.
inline auto two_hills(std::size_t dimension, double apart, double share) {
    return [=](const Point& at) {
        const auto n = static_cast<double>(dimension);
        constexpr double narrow = 0.5;
        double first = 0, second = 0;
        for (const double x : at) {
            first += x * x;
            second += (x - apart) * (x - apart) / (narrow * narrow);
        }
        first = std::log(1 - share) - first / 2;
        second = std::log(share) - n * std::log(narrow) - second / 2;
        const double larger = std::max(first, second);
        Density density{larger + std::log(std::exp(first - larger) + std::exp(second - larger)), at,
                        0};
        const double of_second = std::exp(second - density.log);
        for (double& x : density.gradient)
            x = -(1 - of_second) * x - of_second * (x - apart) / (narrow * narrow);
        return density;
    };
}

}  // namespace tessera::test
