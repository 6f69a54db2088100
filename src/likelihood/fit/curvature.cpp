#include "likelihood/fit/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::likelihood {

namespace {

constexpr double widest_error = 0.25;     // widest error of a constrained combination, in the cube
constexpr double tolerated_motion = 0.1;  // of a coordinate along an unconstrained combination

}  // namespace

Matrix difference_curvature(Objective& objective, const Space& space, const Point& at,
                            const std::vector<std::size_t>& loose,
                            const std::vector<double>& steps) {
    std::vector<Point> points;
    for (std::size_t k = 0; k < loose.size(); ++k)
        for (const double sign : {1.0, -1.0}) {
            double& moved = points.emplace_back(at)[loose[k]];
            moved += sign * steps[k];
            if (!space.goes_round(loose[k])) moved = std::clamp(moved, 0.0, 1.0);
        }
    const auto slopes = objective.slopes(points);
    Matrix curvature(loose.size());
    for (std::size_t k = 0; k < loose.size(); ++k) {
        const double width = points[2 * k][loose[k]] - points[2 * k + 1][loose[k]];
        for (std::size_t j = 0; j < loose.size(); ++j) {
            const double bend =
                (slopes[2 * k + 1].gradient[loose[j]] - slopes[2 * k].gradient[loose[j]]) / width;
            curvature(k, j) += bend / 2;
            curvature(j, k) += bend / 2;
        }
    }
    return curvature;
}

ErrorEstimate estimate_errors(const Matrix& information, const Point& at,
                              const std::vector<std::size_t>& loose) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::size_t n = at.size(), m = loose.size();
    const auto system = eigensystem(information);
    ErrorEstimate estimate{Matrix(n), std::vector<Verdict>(n), 0};
    if (m > 0) estimate.steepest_saddle = std::min(0.0, system.values.front());
    for (std::size_t i = 0; i < n; ++i)
        estimate.verdicts[i] = at[i] < 0.5 ? Verdict::at_lower_bound : Verdict::at_upper_bound;
    std::vector<double> motion(m, 0.0);
    for (std::size_t e = 0; e < m; ++e) {
        const bool constrained = system.values[e] > 1 / (widest_error * widest_error);
        for (std::size_t i = 0; i < m; ++i) {
            if (!constrained) {
                motion[i] += system.vectors(i, e) * system.vectors(i, e);
                continue;
            }
            for (std::size_t j = 0; j < m; ++j)
                estimate.covariance(loose[i], loose[j]) +=
                    system.vectors(i, e) * system.vectors(j, e) / system.values[e];
        }
    }
    for (std::size_t i = 0; i < m; ++i)
        estimate.verdicts[loose[i]] =
            std::sqrt(motion[i]) < tolerated_motion ? Verdict::determined : Verdict::unconstrained;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (estimate.verdicts[i] != Verdict::determined ||
                estimate.verdicts[j] != Verdict::determined)
                estimate.covariance(i, j) = nan;
    return estimate;
}

double promised_gain(const Matrix& curvature, const Point& gradient, double least) {
    const auto system = eigensystem(curvature);
    double gain = 0;
    for (std::size_t e = 0; e < curvature.n; ++e) {
        if (system.values[e] < least) continue;
        double along = 0;
        for (std::size_t i = 0; i < curvature.n; ++i) along += system.vectors(i, e) * gradient[i];
        gain += along * along / (2 * system.values[e]);
    }
    return gain;
}

Matrix made_positive(const Matrix& curvature, double least) {
    const auto system = eigensystem(curvature);
    Matrix positive(curvature.n);
    for (std::size_t e = 0; e < curvature.n; ++e)
        for (std::size_t i = 0; i < curvature.n; ++i)
            for (std::size_t j = 0; j < curvature.n; ++j)
                positive(i, j) += std::max(std::abs(system.values[e]), least) *
                                  system.vectors(i, e) * system.vectors(j, e);
    return positive;
}

}  // namespace tessera::likelihood
