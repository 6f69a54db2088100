// Normal hills of different shapes, whose shares and moments are known.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "known_posteriors.hpp"
#include "likelihood/sample/hill_maps.hpp"

namespace tessera::test {

using likelihood::HillShape;

/// A covariance with standard deviations from `narrow` to `wide` and correlated neighbours.
inline Matrix stretched(std::size_t n, double narrow, double wide, double correlation) {
    Matrix covariance(n);
    const auto sd = [&](std::size_t i) {
        return narrow *
               std::pow(wide / narrow, static_cast<double>(i) / static_cast<double>(n - 1));
    };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const double steps = std::abs(static_cast<double>(i) - static_cast<double>(j));
            covariance(i, j) = sd(i) * sd(j) * std::pow(correlation, steps);
        }
    return covariance;
}

/// A sum of normal hills with these shares.
class NormalHills {
  public:
    NormalHills(std::vector<HillShape> hills, std::vector<double> shares)
        : hills_(std::move(hills)), shares_(std::move(shares)) {
        for (const HillShape& hill : hills_) {
            precisions_.push_back(likelihood::power(hill.covariance, -1));
            roots_.push_back(likelihood::power(hill.covariance, 0.5));
        }
    }

    Density operator()(const Point& at) const {
        std::vector<double> logs;
        std::vector<Point> slopes;
        double largest = -1e300;
        for (std::size_t k = 0; k < hills_.size(); ++k) {
            Point away = at;
            for (std::size_t i = 0; i < at.size(); ++i) away[i] -= hills_[k].centre[i];
            slopes.push_back(likelihood::product(precisions_[k], away));
            logs.push_back(std::log(shares_[k]) -
                           likelihood::log_determinant(hills_[k].covariance) / 2 -
                           likelihood::dot(away, slopes[k]) / 2);
            largest = std::max(largest, logs[k]);
        }
        double sum = 0;
        for (const double log : logs) sum += std::exp(log - largest);
        Density density{largest + std::log(sum), Point(at.size(), 0.0), 0};
        for (std::size_t k = 0; k < hills_.size(); ++k)
            for (std::size_t i = 0; i < at.size(); ++i)
                density.gradient[i] -= std::exp(logs[k] - density.log) * slopes[k][i];
        return density;
    }

    /// A point of this density.
    Point draw(likelihood::RandomStream& random) const {
        double rest = random.uniform();
        std::size_t k = 0;
        while (k + 1 < shares_.size() && rest >= shares_[k]) rest -= shares_[k++];
        Point z(hills_[k].centre.size());
        for (double& x : z) x = random.normal();
        z = likelihood::product(roots_[k], z);
        for (std::size_t i = 0; i < z.size(); ++i) z[i] += hills_[k].centre[i];
        return z;
    }

    const std::vector<HillShape>& hills() const { return hills_; }
    double share(std::size_t k) const { return shares_[k]; }
    double mean(std::size_t i) const {
        double mean = 0;
        for (std::size_t k = 0; k < hills_.size(); ++k) mean += shares_[k] * hills_[k].centre[i];
        return mean;
    }
    double mean_product(std::size_t i, std::size_t j) const {
        double mean = 0;
        for (std::size_t k = 0; k < hills_.size(); ++k)
            mean += shares_[k] *
                    (hills_[k].centre[i] * hills_[k].centre[j] + hills_[k].covariance(i, j));
        return mean;
    }

  private:
    std::vector<HillShape> hills_;
    std::vector<double> shares_;
    std::vector<Matrix> precisions_, roots_;
};

/// Two hills of directions, as a function of theta and phi. The axis of a stream has neither head
/// nor tail: (t, p), (t + pi, p), (t, p + 2 pi) and (-t, p + pi) are one axis.
struct TwoAxes {
    Point first{std::sin(1.2), 0, std::cos(1.2)}, second{0, std::sin(0.6), std::cos(0.6)};
    double narrowness = 12, of_second = 30;
    double height = 0.7;  ///< of the second hill

    Density operator()(const Point& at) const {
        const double t = at[0], p = at[1];
        const Point axis{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
        const Point by_t{std::cos(t) * std::cos(p), std::cos(t) * std::sin(p), -std::sin(t)};
        const Point by_p{-axis[1], axis[0], 0};
        const double a = likelihood::dot(axis, first), b = likelihood::dot(axis, second);
        const double one = std::exp(narrowness * (a * a - 1));
        const double other = height * std::exp(of_second * (b * b - 1));
        const double slope = 2 * narrowness * a * one / (one + other);
        const double other_slope = 2 * of_second * b * other / (one + other);
        return {
            std::log(one + other),
            {slope * likelihood::dot(by_t, first) + other_slope * likelihood::dot(by_t, second),
             slope * likelihood::dot(by_p, first) + other_slope * likelihood::dot(by_p, second)},
            0};
    }
};

}  // namespace tessera::test
