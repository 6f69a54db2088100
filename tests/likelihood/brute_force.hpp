// The likelihood by plain loops in long double, straight from the published formulas: no table, no
// hoisting, no skipping, its own Gauss-Legendre iteration. For small wedges.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "io/streams/stream_model.hpp"
#include "own_profiles.hpp"

namespace tessera::test {

class BruteForce {
    using Real = long double;
    using Place = std::array<Real, 3>;
    static constexpr Real pi = 3.14159265358979323846264338327950288L, degree = pi / 180;

  public:
    BruteForce(const io::StreamModel& model, bool application_rule)
        : model_(model), rule_(rule(model.convolve, application_rule)) {}

    /// Per component, the background first.
    std::vector<Real> integrals() const {
        std::vector<Real> sums(1 + model_.streams.size());
        for (std::size_t area = 0; area < model_.areas.size(); ++area) {
            const std::vector<Real> of_area = integrate(model_.areas[area]);
            for (std::size_t k = 0; k < sums.size(); ++k)
                sums[k] += area ? -of_area[k] : of_area[k];
        }
        return sums;
    }

    /// p_k of a star per component.
    std::vector<Real> densities(const io::Star& star) const {
        return convolved(star.l * degree, star.b * degree, star.r);
    }

    std::vector<Real> weights() const {
        std::vector<Real> w{classic() ? std::exp(Real(model_.background.epsilon)) : Real(1)};
        for (const io::Stream& s : model_.streams) w.push_back(std::exp(Real(s.epsilon)));
        return w;
    }

  private:
    struct Node {
        Real x, w;
    };

    bool classic() const { return model_.model == io::Model::classic; }
    bool newby() const { return model_.turnoff == io::Turnoff::newby2011; }

    static std::vector<Node> rule(int n, bool application) {
        std::vector<Node> nodes(static_cast<std::size_t>(n));
        for (int i = 1; i <= (n + 1) / 2; ++i) {
            Real z = std::cos(pi * (i - 0.25L) / (n + 0.5L)), before = 2, slope = 0;
            const auto at = [&](Real y, Real& derivative) {
                Real p = 1, q = 0;
                for (int j = 1; j <= n; ++j) {
                    const Real next = ((2 * j - 1) * y * p - (j - 1) * q) / j;
                    q = p, p = next;
                }
                derivative = n * (y * p - q) / (y * y - 1);
                return p;
            };
            while (std::abs(z - before) > (application ? 3e-11L : 1e-17L)) {
                before = z;
                z -= at(before, slope) / slope;
            }
            if (!application) at(z, slope);
            const Real w = 2 / ((1 - z * z) * slope * slope);
            nodes[static_cast<std::size_t>(i - 1)] = {-z, w};
            nodes[static_cast<std::size_t>(n - i)] = {z, w};
        }
        return nodes;
    }

    static Real distance_of(Real g) { return std::pow(10.0L, (g - 14.2L) / 5); }
    static Real magnitude_at(Real r) { return 5 * (std::log10(1000 * r) - 1) + 4.2L; }

    void sky(Real mu, Real nu, Real& l, Real& b) const {
        static constexpr Real matrix[3][3] = {
            {-0.054875539726L, -0.873437108010L, -0.483834985808L},
            {0.494109453312L, -0.444829589425L, 0.746982251810L},
            {-0.867666135858L, -0.198076386122L, 0.455983795705L}};
        const Real eta = 2.5L * model_.wedge - 57.5L - (model_.wedge > 46 ? 180 : 0);
        const Real inc = (eta + 32.5L) * degree, m = (mu - 95) * degree, n = nu * degree;
        const Real x = std::cos(m) * std::cos(n), y = std::sin(m) * std::cos(n), z = std::sin(n);
        const Real y2 = y * std::cos(inc) - z * std::sin(inc);
        const Real z2 = y * std::sin(inc) + z * std::cos(inc);
        const Real ra = std::atan2(y2, x) + 95 * degree, dec = std::asin(z2);
        const Real u[3] = {std::cos(ra) * std::cos(dec), std::sin(ra) * std::cos(dec), z2};
        Real v[3];
        for (int i = 0; i < 3; ++i)
            v[i] = matrix[i][0] * u[0] + matrix[i][1] * u[1] + matrix[i][2] * u[2];
        l = std::atan2(v[1], v[0]);
        b = std::atan2(v[2], std::sqrt(v[0] * v[0] + v[1] * v[1]));
    }

    static Place place(Real l, Real b, Real r) {
        return {r * std::cos(b) * std::cos(l) - 8.5L, r * std::cos(b) * std::sin(l),
                r * std::sin(b)};
    }

    Real profile(Real rg) const {
        const io::Background& b = model_.background;
        if (is_own(b)) return own_density(b, rg);
        if (b.profile == io::Profile::broken_power_law)
            return std::pow(8.5L / rg, Real(rg < 12 ? b.alpha : b.delta));
        const Real core = classic() ? b.r0 : 12;
        return 1 / (std::pow(rg, Real(b.alpha)) * std::pow(rg + core, 3 - Real(b.alpha) + b.delta));
    }

    Real background(const Place& x, Real g) const {
        const io::Background& b = model_.background;
        const Real halo = profile(elliptical_radius(b, x[0], x[1], x[2]));
        const Real sum = halo + (b.has_auxiliary() ? b.a * g * g + b.b * g + b.c : Real(0));
        if (b.has_disks())
            return sum +
                   profile(elliptical_radius(b, -8.5L, 0, 0)) * disks_per_halo(b, x[0], x[1], x[2]);
        if (classic() || b.profile != io::Profile::hernquist) return sum;
        const Real disk = std::exp(-0.285714286L * std::sqrt(x[0] * x[0] + x[1] * x[1]) -
                                   1.428571429L * std::abs(x[2]));
        return b.epsilon * sum + (1 - Real(b.epsilon)) * disk;
    }

    Real stream(const io::Stream& s, const Place& x) const {
        const Real a[3] = {std::sin(Real(s.theta)) * std::cos(Real(s.phi)),
                           std::sin(Real(s.theta)) * std::sin(Real(s.phi)),
                           std::cos(Real(s.theta))};
        Real l, b;
        sky(s.mu, 0, l, b);
        const Place centre = place(l, b, s.r);
        const Real u[3] = {x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]};
        const Real along = a[0] * u[0] + a[1] * u[1] + a[2] * u[2];
        Real across = 0;
        for (int i = 0; i < 3; ++i) across += (u[i] - along * a[i]) * (u[i] - along * a[i]);
        return std::exp(-across / (2 * Real(s.sigma) * s.sigma));
    }

    Real turnoff(Real r, Real dx) const {
        Real sigma = 0.6L, norm = 0.6L;
        if (newby()) {
            const Real right = 0.52L / (1 + std::exp(12 - r)) + 0.76L;
            sigma = dx <= 0 ? 0.36L : right;
            norm = (0.36L + right) / 2;
        }
        return std::exp(-dx * dx / (2 * sigma * sigma)) / (norm * std::sqrt(2 * pi));
    }

    Real completeness(Real t) const {
        if (!newby()) return 1;
        static constexpr Real yellow[8] = {5.61945007e2L,
                                           -1.67343282e1L,
                                           1.09325822e-1L,
                                           1.34993610e-3L,
                                           -1.42044161e-5L,
                                           0,
                                           0,
                                           0};
        static constexpr Real red[8] = {8.55878159L,     -1.04891551e1L, 3.51630757L,
                                        -2.29741062e-1L, 6.72278105e-3L, -1.01910181e-4L,
                                        7.82787167e-7L,  -2.41452056e-9L};
        Real sum = 0;
        for (int k = 0; k < 8; ++k) sum += (yellow[k] + red[k]) * std::pow(t, Real(k));
        return sum / 532;
    }

    std::vector<Real> convolved(Real l, Real b, Real r) const {
        std::vector<Real> sums(1 + model_.streams.size());
        const Real g = magnitude_at(r);
        const Real eff = 0.9402L / (std::exp(1.6171L * (g - 23.5877L)) + 1);
        const Real f = eff / (r * r * r) * (classic() ? 1.8L : 1) * completeness(r);
        for (const Node& node : rule_) {
            const Real dx = 1.8L * node.x;
            const Real ri = distance_of(classic() ? g + dx : g - dx);
            const Real q = f * node.w * ri * ri * ri * turnoff(r, dx);
            const Place x = place(l, b, ri);
            sums[0] += q * background(x, g + dx);
            for (std::size_t s = 0; s < model_.streams.size(); ++s)
                sums[1 + s] += q * stream(model_.streams[s], x);
        }
        return sums;
    }

    std::vector<Real> integrate(const io::Area& area) const {
        std::vector<Real> sums(1 + model_.streams.size());
        const Real dmu = (Real(area.mu.max) - area.mu.min) / area.mu.steps;
        const Real dnu = (Real(area.nu.max) - area.nu.min) / area.nu.steps;
        const Real dm = (Real(area.r.max) - area.r.min) / area.r.steps;
        for (int i = 0; i < area.nu.steps; ++i)
            for (int j = 0; j < area.mu.steps; ++j)
                for (int k = 0; k < area.r.steps; ++k) {
                    const Real low = area.nu.min + i * dnu;
                    const Real id = std::sin((low + dnu) * degree) - std::sin(low * degree);
                    const Real inner = distance_of(area.r.min + k * dm);
                    const Real outer = distance_of(area.r.min + (k + 1) * dm);
                    const Real volume =
                        (outer * outer * outer - inner * inner * inner) / 3 * dmu * degree * id;
                    Real l, b;
                    sky(area.mu.min + (j + 0.5L) * dmu, low + dnu / 2, l, b);
                    const std::vector<Real> p = convolved(l, b, (inner + outer) / 2);
                    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += volume * p[c];
                }
        return sums;
    }

    io::StreamModel model_;
    std::vector<Node> rule_;
};

}  // namespace tessera::test
