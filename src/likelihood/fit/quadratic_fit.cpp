#include "likelihood/fit/quadratic_fit.hpp"

#include <algorithm>
#include <cmath>

#include "likelihood/fit/curvature.hpp"

namespace tessera::likelihood {

namespace {

constexpr double spare_points = 1.2;  // points for each coefficient
constexpr double flattest = 1e-6;     // least curvature of a step, as a share of the largest one

/// 1, x_i, x_i², and the products x_i x_j if `mixed`.
std::vector<double> terms_of(const Point& x, bool mixed) {
    std::vector<double> terms{1.0};
    terms.insert(terms.end(), x.begin(), x.end());
    for (const double one : x) terms.push_back(one * one);
    for (std::size_t i = 0; mixed && i < x.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) terms.push_back(x[i] * x[j]);
    return terms;
}

/// The coefficients of terms_of() with the least squares, by the normal equations.
std::optional<std::vector<double>> coefficients(std::span<const Candidate> points, bool mixed) {
    const std::size_t count = terms_of(points.front().at, mixed).size();
    Matrix products(count);
    std::vector<double> right(count, 0.0);
    for (const Candidate& point : points) {
        const auto terms = terms_of(point.at, mixed);
        for (std::size_t i = 0; i < count; ++i) {
            right[i] += terms[i] * point.value;
            for (std::size_t j = 0; j <= i; ++j) products(i, j) += terms[i] * terms[j];
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j) products(j, i) = products(i, j);
    return solve_positive(products, right);
}

}  // namespace

std::size_t quadratic_terms(std::size_t dimension) { return (dimension + 1) * (dimension + 2) / 2; }

std::optional<Quadratic> fitted_quadratic(std::span<const Candidate> points) {
    if (points.empty()) return {};
    const std::size_t n = points.front().at.size();
    const auto enough = [&](std::size_t terms) {
        return static_cast<double>(points.size()) >= spare_points * static_cast<double>(terms);
    };
    const bool mixed = enough(quadratic_terms(n));
    if (!enough(2 * n + 1)) return {};
    const auto found = coefficients(points, mixed);
    if (!found) return {};
    Quadratic model{found->front(), Point(found->begin() + 1, found->begin() + 1 + n), Matrix(n)};
    for (std::size_t i = 0; i < n; ++i) model.curvature(i, i) = -2 * (*found)[1 + n + i];
    std::size_t next = 1 + 2 * n;
    for (std::size_t i = 0; mixed && i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
            model.curvature(i, j) = model.curvature(j, i) = -(*found)[next++];
    return model;
}

Point newton_step(const Quadratic& model, double longest) {
    double most = 0;
    for (std::size_t i = 0; i < model.curvature.n; ++i)
        most = std::max(most, std::abs(model.curvature(i, i)));
    if (most == 0) most = 1;
    const Matrix positive = made_positive(model.curvature, flattest * most);
    Point step = solve_positive(positive, model.gradient).value_or(model.gradient);
    double size = 0;
    for (const double one : step) size = std::max(size, std::abs(one));
    if (size > longest)
        for (double& one : step) one *= longest / size;
    return step;
}

double promised(const Quadratic& model, const Point& step) {
    return dot(model.gradient, step) - dot(step, product(model.curvature, step)) / 2;
}

}  // namespace tessera::likelihood
