#include <gtest/gtest.h>

#include <cmath>

#include "likelihood/sample/ridge.hpp"

namespace tessera::likelihood {

namespace {

/// Summits on a ring of radius 1, at every 120 degrees. The density dips by 1 along the ring.
class Ring {
  public:
    explicit Ring(double dip) : dip_(dip) {}

    Density operator()(const Point& at) const {
        const double radius = std::hypot(at[0], at[1]), turn = std::atan2(at[1], at[0]);
        const double off = (radius - 1) / width_;
        const double by_radius = -off / width_, by_turn = -1.5 * dip_ * std::sin(3 * turn) / radius;
        return {-off * off / 2 + dip_ / 2 * (std::cos(3 * turn) - 1),
                {by_radius * at[0] / radius - by_turn * at[1] / radius,
                 by_radius * at[1] / radius + by_turn * at[0] / radius},
                0};
    }

    /// By hand: the variance is the square of the width across the ring, and 2 / (9 dip) along it.
    Summit summit(double turn) const {
        const double c = std::cos(turn), s = std::sin(turn);
        const double across = width_ * width_, along = 2 / (9 * dip_);
        Summit summit{{c, s}, Matrix(2)};
        summit.covariance(0, 0) = across * c * c + along * s * s;
        summit.covariance(1, 1) = across * s * s + along * c * c;
        summit.covariance(0, 1) = summit.covariance(1, 0) = (across - along) * c * s;
        return summit;
    }

    bool connects(double dip, int& asked) const {
        const auto densities = [&](const std::vector<Point>& points) {
            std::vector<Density> found;
            for (const Point& point : points) found.push_back((*this)(point));
            asked += static_cast<int>(points.size());
            return found;
        };
        const auto values = [&](const std::vector<Point>& points) {
            std::vector<Density> found;
            for (const Point& point : points) found.push_back({(*this)(point).log, {}, 0});
            return found;
        };
        const double turn = 2 * std::acos(-1.0) / 3;
        const Summit from = summit(0), to = summit(turn);
        return ridge_connects({from, 0}, {to, 0}, dip, densities, values);
    }

  private:
    double dip_, width_ = 0.05;
};

}  // namespace

TEST(Ridge, LeadsAlongARingBetweenItsSummits) {
    // On the straight line the density dips by (0.5 / 0.05)^2 / 2 = 50.
    int asked = 0;
    EXPECT_TRUE(Ring(1).connects(2, asked));
    EXPECT_LE(asked, 180);
}

TEST(Ridge, DoesNotLeadAcrossADeeperDip) {
    int asked = 0;
    EXPECT_FALSE(Ring(4).connects(2, asked));
    EXPECT_TRUE(Ring(4).connects(4.5, asked));
}

}  // namespace tessera::likelihood
