#include "likelihood/sample/metric_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::likelihood {

namespace {

constexpr double draws_of_before = 5;

/// The covariance of points, with draws_of_before draws whose covariance is the unit matrix.
Matrix pulled_covariance(const std::vector<Point>& points) {
    const std::size_t n = points.front().size();
    const auto count = static_cast<double>(points.size());
    Point mean(n, 0.0);
    for (const Point& point : points)
        for (std::size_t i = 0; i < n; ++i) mean[i] += point[i] / count;
    Matrix covariance(n, draws_of_before);
    for (const Point& point : points)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                covariance(i, j) += (point[i] - mean[i]) * (point[j] - mean[j]);
    for (double& value : covariance.values) value /= count + draws_of_before;
    return covariance;
}

Matrix symmetric(const Matrix& matrix) {
    Matrix half = matrix;
    for (std::size_t i = 0; i < matrix.n; ++i)
        for (std::size_t j = 0; j < matrix.n; ++j) half(i, j) = (matrix(i, j) + matrix(j, i)) / 2;
    return half;
}

/// outer inner outer, for symmetric matrices.
Matrix between(const Matrix& outer, const Matrix& inner) {
    return symmetric(product(product(outer, inner), outer));
}

}  // namespace

Matrix estimated_metric(const std::vector<Image>& draws, const Matrix& before) {
    if (draws.size() < 2) return before;
    const Matrix scale = power(before, 0.5), inverse = power(before, -0.5);
    std::vector<Point> points, gradients;
    for (const Image& draw : draws) {
        points.push_back(product(inverse, draw.line));
        gradients.push_back(product(scale, draw.gradient));
    }
    const Matrix of_gradients = pulled_covariance(gradients);
    const Matrix root = power(of_gradients, 0.5), inverse_root = power(of_gradients, -0.5);
    const Matrix middle = power(between(root, pulled_covariance(points)), 0.5);
    const Matrix found = between(scale, between(inverse_root, middle));
    return cholesky(found) ? found : before;
}

}  // namespace tessera::likelihood
