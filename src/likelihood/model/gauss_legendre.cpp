#include "likelihood/model/gauss_legendre.hpp"

#include <cmath>
#include <numbers>

namespace tessera::likelihood {

namespace {

template <class Real>
struct Legendre {
    Real value, slope;
};

/// P_n and P'_n at z, |z| < 1, by the three-term recurrence.
template <class Real>
Legendre<Real> legendre(int n, Real z) {
    Real current = 1, previous = 0;
    for (int j = 1; j <= n; ++j) {
        const Real before = previous;
        previous = current;
        const Real k = static_cast<Real>(j);
        current = ((2 * k - 1) * z * previous - (k - 1) * before) / k;
    }
    return {current, static_cast<Real>(n) * (z * current - previous) / (z * z - 1)};
}

/// Finds each root by Newton's iteration from the usual start value. `weight` is called with the
/// root and with the slope P'_n at the iterate before it.
template <class Real, class Weight>
QuadratureRule newton_rule(int n, Real tolerance, Weight&& weight) {
    const auto size = static_cast<std::size_t>(n);
    QuadratureRule rule{std::vector<double>(size), std::vector<double>(size)};
    for (int i = 1; i <= (n + 1) / 2; ++i) {
        Real z = std::cos(std::numbers::pi_v<Real> * (static_cast<Real>(i) - Real(0.25)) /
                          (static_cast<Real>(n) + Real(0.5)));
        Real before, slope;
        do {
            const Legendre<Real> p = legendre(n, z);
            slope = p.slope;
            before = z;
            z = before - p.value / slope;
        } while (std::abs(z - before) > tolerance);
        const auto low = static_cast<std::size_t>(i - 1), high = size - 1 - low;
        rule.nodes[low] = static_cast<double>(-z);
        rule.nodes[high] = static_cast<double>(z);
        rule.weights[low] = rule.weights[high] = static_cast<double>(weight(z, slope));
    }
    return rule;
}

}  // namespace

QuadratureRule milkyway_rule(int n) {
    return newton_rule<double>(
        n, 3.0e-11, [](double z, double slope) { return 2 / ((1 - z * z) * slope * slope); });
}

QuadratureRule gauss_legendre_rule(int n) {
    // The middle root of an odd rule is 0, and rounding leaves about 1e-20 there.
    return newton_rule<long double>(n, 1e-17L, [n](long double z, long double) {
        const long double slope = legendre(n, z).slope;
        return 2 / ((1 - z * z) * slope * slope);
    });
}

}  // namespace tessera::likelihood
