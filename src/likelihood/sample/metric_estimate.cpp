#include "likelihood/sample/metric_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::likelihood {

namespace {

constexpr double draws_of_before = 5;

Matrix symmetric(const Matrix& matrix) {
    Matrix half = matrix;
    for (std::size_t i = 0; i < matrix.n; ++i)
        for (std::size_t j = 0; j < matrix.n; ++j) half(i, j) = (matrix(i, j) + matrix(j, i)) / 2;
    return half;
}

}  // namespace

Moments pulled_moments(const std::vector<Point>& points) {
    const std::size_t n = points.front().size();
    const auto count = static_cast<double>(points.size());
    Moments moments{Point(n, 0.0), Matrix(n, draws_of_before)};
    for (const Point& point : points)
        for (std::size_t i = 0; i < n; ++i) moments.mean[i] += point[i] / count;
    for (const Point& point : points)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                moments.covariance(i, j) +=
                    (point[i] - moments.mean[i]) * (point[j] - moments.mean[j]);
    for (double& value : moments.covariance.values) value /= count + draws_of_before;
    return moments;
}

Matrix between(const Matrix& outer, const Matrix& inner) {
    return symmetric(product(product(outer, inner), outer));
}

Matrix estimated_metric(const std::vector<Image>& draws, const Matrix& before) {
    if (draws.size() < 2) return before;
    const Matrix scale = power(before, 0.5), inverse = power(before, -0.5);
    std::vector<Point> points, gradients;
    for (const Image& draw : draws) {
        points.push_back(product(inverse, draw.line));
        gradients.push_back(product(scale, draw.gradient));
    }
    const Matrix of_gradients = pulled_moments(gradients).covariance;
    const Matrix root = power(of_gradients, 0.5), inverse_root = power(of_gradients, -0.5);
    const Matrix middle = power(between(root, pulled_moments(points).covariance), 0.5);
    const Matrix found = between(scale, between(inverse_root, middle));
    return cholesky(found) ? found : before;
}

}  // namespace tessera::likelihood
