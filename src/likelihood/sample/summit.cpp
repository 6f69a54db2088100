#include "likelihood/sample/summit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::likelihood {

namespace {

constexpr double difference = 1e-3;        // of gradients
constexpr double least_curvature = 0.3;    // that of a logistic density, which a uniform prior has
constexpr double summit_tolerance = 1e-2;  // in log density; the climb ends below it
constexpr int most_steps = 20, halvings = 8;

Matrix hessian(const Point& at, const DensitiesOf& densities_of) {
    std::vector<Point> around;
    for (std::size_t i = 0; i < at.size(); ++i)
        for (const double sign : {1.0, -1.0}) around.emplace_back(at)[i] += sign * difference;
    const auto densities = densities_of(around);
    Matrix found(at.size());
    for (std::size_t i = 0; i < at.size(); ++i)
        for (std::size_t j = 0; j < at.size(); ++j) {
            const double bend = (densities[2 * i].gradient[j] - densities[2 * i + 1].gradient[j]) /
                                (2 * difference);
            found(i, j) += bend / 2;
            found(j, i) += bend / 2;
        }
    return found;
}

Matrix covariance_of(const Matrix& hessian) {
    const auto system = eigensystem(hessian);
    Matrix covariance(hessian.n);
    for (std::size_t e = 0; e < hessian.n; ++e) {
        const double bend = std::max(std::abs(system.values[e]), least_curvature);
        for (std::size_t i = 0; i < hessian.n; ++i)
            for (std::size_t j = 0; j < hessian.n; ++j)
                covariance(i, j) += system.vectors(i, e) * system.vectors(j, e) / bend;
    }
    return covariance;
}

}  // namespace

Summit find_summit(Point from, const DensitiesOf& densities_of) {
    Summit summit{std::move(from), Matrix()};
    Density here = densities_of({summit.at}).front();
    for (int step = 0;; ++step) {
        summit.covariance = covariance_of(hessian(summit.at, densities_of));
        const Point rise = product(summit.covariance, here.gradient);
        if (step == most_steps || !(dot(rise, here.gradient) / 2 > summit_tolerance)) return summit;
        std::vector<Point> tried;
        for (int k = 0; k < halvings; ++k) {
            Point& point = tried.emplace_back(summit.at);
            for (std::size_t i = 0; i < point.size(); ++i) point[i] += std::ldexp(rise[i], -k);
        }
        const auto densities = densities_of(tried);
        const auto best = std::ranges::max_element(densities, {}, &Density::log);
        if (!(best->log > here.log)) return summit;
        here = *best;
        summit.at = tried[static_cast<std::size_t>(best - densities.begin())];
    }
}

}  // namespace tessera::likelihood
