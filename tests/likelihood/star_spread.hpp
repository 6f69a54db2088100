// Whether simulated stars are spread over a wedge as the integrals of the model say.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "likelihood/simulate/simulate_places.hpp"
#include "point_sums.hpp"
#include "simulated_stars.hpp"

namespace tessera::test {

/// Cells along the stripe and in depth.
struct SpreadCells {
    int mu = 5, depth = 4;
    int mu_steps = 10, depth_steps = 12;  ///< of the sums within a cell
};

/// The share of all stars that each cell has, by sums over the points of its own.
inline std::vector<double> expected_shares(const io::StreamModel& model, const SpreadCells& cells) {
    const io::Area whole = model.areas.front();
    const double mu = (whole.mu.max - whole.mu.min) / cells.mu;
    const double depth = (whole.r.max - whole.r.min) / cells.depth;
    const std::vector<double> weights = likelihood::component_weights(model);
    std::vector<std::vector<Real>> integrals;
    std::vector<Real> totals(weights.size());
    for (int cell = 0; cell < cells.mu * cells.depth; ++cell) {
        const double from = whole.mu.min + cell / cells.depth * mu;
        const double near = whole.r.min + cell % cells.depth * depth;
        io::StreamModel part = model;
        part.areas = {{{near, near + depth, cells.depth_steps},
                       {from, from + mu, cells.mu_steps},
                       {whole.nu.min, whole.nu.max, 2}}};
        integrals.push_back(PointSums(part).integrals());
        for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += integrals.back()[k];
    }
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> shares;
    for (const std::vector<Real>& of_cell : integrals) {
        shares.push_back(0);
        for (std::size_t k = 0; k < totals.size(); ++k)
            shares.back() += static_cast<double>(of_cell[k] / totals[k]) * weights[k] / all;
    }
    return shares;
}

/// Chi-squared of the cells against what the integrals say. Cells with fewer than ten stars count
/// as one.
inline void expect_stars_as_integrals(const io::StreamModel& model, int number,
                                      const SpreadCells& cells = {}) {
    const io::Area whole = model.areas.front();
    const std::vector<double> shares = expected_shares(model, cells);
    std::vector<double> counts(shares.size(), 0);
    for (const likelihood::SimulatedStar& one : likelihood::simulate_stars(model, number, 5)) {
        double mu = 0, nu = 0;
        likelihood::StripeFrame(model.wedge)
            .coordinates(likelihood::galactic_direction(one.star.l, one.star.b).unit, whole.mu.min,
                         mu, nu);
        const auto cell = [](double at, const io::Cells& range, int count) {
            const double share = (at - range.min) / (range.max - range.min);
            return std::clamp(static_cast<int>(share * count), 0, count - 1);
        };
        const int i = cell(mu, whole.mu, cells.mu);
        const int k = cell(likelihood::magnitude_at(one.star.r), whole.r, cells.depth);
        counts[static_cast<std::size_t>(i * cells.depth + k)] += 1;
    }
    double chi2 = 0, few = 0, few_expected = 0;
    int compared = 0;
    const auto compare = [&](double count, double expected) {
        chi2 += (count - expected) * (count - expected) / expected;
        ++compared;
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = shares[i] * number;
        if (expected >= 10)
            compare(counts[i], expected);
        else
            few += counts[i], few_expected += expected;
    }
    if (few_expected >= 1) compare(few, few_expected);
    const double freedom = compared - 1;
    ASSERT_GT(freedom, 3);
    EXPECT_LT(chi2, freedom + 4.5 * std::sqrt(2 * freedom));
}

}  // namespace tessera::test
