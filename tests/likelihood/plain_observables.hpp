// The distribution of the observables of a star in long double, as it is written down: determinant
// and inverse of the covariance by elimination, nothing of the library's.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::test {

/// Density of what is measured of a star, if it is distributed like `spreads`.
inline long double plain_density(const std::vector<io::Spread>& spreads,
                                 const std::vector<double>& observed, long double x) {
    using Real = long double;
    const std::size_t all = spreads.size();
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < all; ++i)
        if (!std::isnan(observed[i])) which.push_back(i);
    std::vector<std::vector<Real>> rows;  // covariance and residual
    for (const std::size_t i : which) {
        rows.emplace_back();
        for (const std::size_t j : which) {
            Real correlation = 1;
            if (i != j)
                correlation = observed[io::correlation_place(all, std::max(i, j), std::min(i, j))];
            const Real spread = i == j ? Real(spreads[i].dispersion) * spreads[i].dispersion : 0;
            rows.back().push_back(correlation * observed[all + i] * observed[all + j] + spread);
        }
        rows.back().push_back(observed[i] - spreads[i].mean - x * spreads[i].slope -
                              x * x * spreads[i].curvature);
    }
    Real chi2 = 0, determinant = 1;
    for (std::size_t p = 0; p < rows.size(); ++p) {
        chi2 += rows[p].back() * rows[p].back() / rows[p][p];
        determinant *= rows[p][p];
        for (std::size_t i = p + 1; i < rows.size(); ++i) {
            const Real factor = rows[i][p] / rows[p][p];
            for (std::size_t j = p; j < rows[i].size(); ++j) rows[i][j] -= factor * rows[p][j];
        }
    }
    const Real turn = 2 * std::numbers::pi_v<Real>;
    return std::exp(-chi2 / 2) / std::sqrt(determinant * std::pow(turn, Real(rows.size())));
}

/// The same for each component of a model, the background first.
inline std::vector<long double> plain_densities(const io::StreamModel& model,
                                                const io::Star& star) {
    const auto stripe = likelihood::stripe_axes(model.wedge);
    const Vec3 unit = likelihood::galactic_direction(star.l, star.b).unit;
    const io::Cells& mu = model.areas.front().mu;
    const double degree = 180 / std::numbers::pi;
    const double here =
        95 + degree * std::atan2(dot(unit, stripe.axes[1]), dot(unit, stripe.axes[0]));
    double x = here - (mu.min + mu.max) / 2;
    while (x > 180) x -= 360;
    while (x < -180) x += 360;
    std::vector<long double> densities(1);
    long double weights = 0;
    for (const io::Population& one : model.background.populations) {
        const long double weight = std::exp(static_cast<long double>(one.epsilon));
        densities[0] += weight * plain_density(one.observables, star.observed, x);
        weights += weight;
    }
    densities[0] /= weights;
    for (const io::Stream& stream : model.streams)
        densities.push_back(plain_density(stream.observables, star.observed, x));
    return densities;
}

}  // namespace tessera::test
