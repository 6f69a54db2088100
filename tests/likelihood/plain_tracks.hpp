// Streams with tracks in long double, straight from the definition: the spline by Gauss's
// elimination, the nearest point by trying many and then by the golden section.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::test {

class PlainTrack {
    using Real = long double;
    using Vec = std::array<Real, 3>;

  public:
    explicit PlainTrack(const io::Stream& stream) : sigma_(stream.sigma) {
        std::vector<Vec> knots;
        for (const Vec3& k : stream.knots) knots.push_back({k.x + Real(8.5), k.y, k.z});
        at_ = {0};
        for (std::size_t k = 1; k < knots.size(); ++k)
            at_.push_back(at_.back() + length(minus(knots[k], knots[k - 1])));
        knots_ = knots;
        second_ = second_derivatives(knots);
        for (std::size_t k = 0; k < knots.size(); ++k) {
            const Vec along = scaled(slope_at_knot(k, knots), 1);
            const Vec sight = scaled(knots[k], 1);
            Vec away = minus(sight, times(along, dot(sight, along)));
            away = scaled(away, 1);
            const Vec across{along[1] * away[2] - along[2] * away[1],
                             along[2] * away[0] - along[0] * away[2],
                             along[0] * away[1] - along[1] * away[0]};
            const Real share = at_[k] / at_.back();
            const Real a = (1 - share) * stream.first_across + share * stream.last_across;
            const Real b = (1 - share) * stream.first_away + share * stream.last_away;
            for (std::size_t i = 0; i < 3; ++i) knots_[k][i] += a * across[i] + b * away[i];
        }
        second_ = second_derivatives(knots_);
    }

    /// At a position from the Sun.
    Real density(Real x, Real y, Real z) const {
        return std::exp(-distance2({x, y, z}) / (2 * sigma_ * sigma_));
    }

  private:
    static Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
    static Vec times(const Vec& a, Real s) { return {a[0] * s, a[1] * s, a[2] * s}; }
    static Real dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
    static Real length(const Vec& a) { return std::sqrt(dot(a, a)); }
    static Vec scaled(const Vec& a, Real to) { return times(a, to / length(a)); }

    std::vector<Vec> second_derivatives(const std::vector<Vec>& y) const {
        const std::size_t n = y.size();
        std::vector<Vec> found(n);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<std::vector<Real>> m(n, std::vector<Real>(n + 1, 0));
            m[0][0] = m[n - 1][n - 1] = 1;
            for (std::size_t k = 1; k + 1 < n; ++k) {
                const Real h = at_[k] - at_[k - 1], g = at_[k + 1] - at_[k];
                m[k][k - 1] = h / 6;
                m[k][k] = (h + g) / 3;
                m[k][k + 1] = g / 6;
                m[k][n] = (y[k + 1][axis] - y[k][axis]) / g - (y[k][axis] - y[k - 1][axis]) / h;
            }
            for (std::size_t c = 0; c < n; ++c)
                for (std::size_t r = 0; r < n; ++r)
                    if (r != c && m[r][c] != 0) {
                        const Real f = m[r][c] / m[c][c];
                        for (std::size_t k = c; k <= n; ++k) m[r][k] -= f * m[c][k];
                    }
            for (std::size_t k = 0; k < n; ++k) found[k][axis] = m[k][n] / m[k][k];
        }
        return found;
    }

    Vec slope_at_knot(std::size_t k, const std::vector<Vec>& y) const {
        const bool last = k + 1 == y.size();
        const std::size_t i = last ? k - 1 : k;
        const Real h = at_[i + 1] - at_[i];
        Vec slope = times(minus(y[i + 1], y[i]), 1 / h);
        for (std::size_t a = 0; a < 3; ++a)
            slope[a] += last ? h * (second_[i][a] + 2 * second_[i + 1][a]) / 6
                             : -h * (2 * second_[i][a] + second_[i + 1][a]) / 6;
        return slope;
    }

    /// Numerical Recipes, equation 3.3.3.
    Vec place(std::size_t i, Real t) const {
        const Real h = at_[i + 1] - at_[i], b = t / h, a = 1 - b;
        Vec found{};
        for (std::size_t k = 0; k < 3; ++k)
            found[k] =
                a * knots_[i][k] + b * knots_[i + 1][k] +
                ((a * a * a - a) * second_[i][k] + (b * b * b - b) * second_[i + 1][k]) * h * h / 6;
        return found;
    }

    Real of_interval(std::size_t i, const Vec& x) const {
        constexpr int samples = 24;
        const Real h = at_[i + 1] - at_[i];
        const auto off = [&](Real t) {
            const Vec d = minus(x, place(i, t));
            return dot(d, d);
        };
        int best = 0;
        for (int s = 1; s <= samples; ++s)
            if (off(h * s / samples) < off(h * best / samples)) best = s;
        Real low = h * std::max(best - 1, 0) / samples;
        Real high = h * std::min(best + 1, samples) / samples;
        const Real golden = (std::sqrt(Real(5)) - 1) / 2;
        for (int step = 0; step < 45; ++step) {
            const Real c = high - golden * (high - low), d = low + golden * (high - low);
            if (off(c) < off(d))
                high = d;
            else
                low = c;
        }
        return off((low + high) / 2);
    }

    Real of_end(std::size_t k, Real sign, const Vec& x) const {
        const Vec along = scaled(slope_at_knot(k, knots_), sign), d = minus(x, knots_[k]);
        const Vec off = minus(d, times(along, std::max(Real(0), dot(along, d))));
        return dot(off, off);
    }

    Real distance2(const Vec& x) const {
        Real least = std::min(of_end(0, -1, x), of_end(knots_.size() - 1, 1, x));
        for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
            least = std::min(least, of_interval(i, x));
        return least;
    }

    Real sigma_;
    std::vector<Real> at_;
    std::vector<Vec> knots_, second_;
};

}  // namespace tessera::test
