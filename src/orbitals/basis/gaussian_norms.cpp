#include "orbitals/basis/gaussian_norms.hpp"

#include <cmath>
#include <numbers>

namespace tessera::orbitals {
namespace {

double double_factorial(int n) {
    double product = 1;
    for (int i = n; i > 1; i -= 2) product *= i;
    return product;
}

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

double binomial(int n, int k) { return factorial(n) / (factorial(k) * factorial(n - k)); }

// Gamma(l + 3/2)
double gamma_of_half(int l) {
    return std::sqrt(std::numbers::pi) * double_factorial(2 * l + 1) / std::exp2(l + 1);
}

using Monomials = std::vector<double>;  // coefficients of all monomials of one degree

// Adds c x^i y^j z^k (x^2+y^2+z^2)^n, all of whose terms have the same degree.
void add_with_r2(Monomials& target, double c, const io::CartesianPowers& powers, int n) {
    for (int u = 0; u <= n; ++u)
        for (int v = 0; u + v <= n; ++v) {
            const int w = n - u - v;
            const double ways = factorial(n) / (factorial(u) * factorial(v) * factorial(w));
            const io::CartesianPowers all{powers[0] + 2 * u, powers[1] + 2 * v, powers[2] + 2 * w};
            target[static_cast<std::size_t>(place_in_degree(all))] += c * ways;
        }
}

// r^l times the real spherical harmonic: Pi_lm(z, r) times Re or Im of (x + i y)^m (Helgaker,
// Jorgensen & Olsen, Molecular Electronic-Structure Theory, section 6.4).
Monomials solid_harmonic(int l, int m, bool sine) {
    Monomials result(static_cast<std::size_t>((l + 1) * (l + 2) / 2), 0.0);
    const double norm = std::sqrt((2 * l + 1) / (4 * std::numbers::pi) * (m == 0 ? 1 : 2) *
                                  factorial(l - m) / factorial(l + m));
    for (int k = 0; 2 * k <= l - m; ++k) {
        const double legendre = (k % 2 == 0 ? 1 : -1) * binomial(l, k) *
                                binomial(2 * l - 2 * k, l) * factorial(l - 2 * k) /
                                factorial(l - 2 * k - m) / std::exp2(l);
        for (int s = sine ? 1 : 0; s <= m; s += 2) {  // (x + i y)^m: y^s has the phase i^s
            const double sign = s / 2 % 2 == 0 ? 1 : -1;
            add_with_r2(result, norm * legendre * sign * binomial(m, s), {m - s, s, l - 2 * k - m},
                        k);
        }
    }
    return result;
}

}  // namespace

double primitive_norm(int l, double exponent) {
    return std::sqrt(2 * std::pow(2 * exponent, l + 1.5) / gamma_of_half(l));
}

std::vector<double> radial_coefficients(const io::BasisShell& shell) {
    std::vector<double> factors;
    for (std::size_t p = 0; p < shell.exponents.size(); ++p)
        factors.push_back(shell.coefficients[p] * primitive_norm(shell.l, shell.exponents[p]));
    double self_overlap = 0;
    for (std::size_t p = 0; p < factors.size(); ++p)
        for (std::size_t q = 0; q < factors.size(); ++q)
            self_overlap += factors[p] * factors[q] * gamma_of_half(shell.l) /
                            (2 * std::pow(shell.exponents[p] + shell.exponents[q], shell.l + 1.5));
    for (double& factor : factors) factor /= std::sqrt(self_overlap);
    return factors;
}

double cartesian_norm(const io::CartesianPowers& powers) {
    const auto [i, j, k] = powers;
    return std::sqrt(double_factorial(2 * (i + j + k) + 1) /
                     (4 * std::numbers::pi * double_factorial(2 * i - 1) *
                      double_factorial(2 * j - 1) * double_factorial(2 * k - 1)));
}

std::vector<std::vector<double>> angular_functions(int l, bool spherical) {
    std::vector<std::vector<double>> functions;
    if (spherical && l > 1) {
        functions.push_back(solid_harmonic(l, 0, false));
        for (int m = 1; m <= l; ++m) {
            functions.push_back(solid_harmonic(l, m, false));
            functions.push_back(solid_harmonic(l, m, true));
        }
        return functions;
    }
    for (const io::CartesianPowers& powers : io::cartesian_order(l)) {
        functions.emplace_back(static_cast<std::size_t>((l + 1) * (l + 2) / 2), 0.0)
            .at(static_cast<std::size_t>(place_in_degree(powers))) = cartesian_norm(powers);
    }
    return functions;
}

}  // namespace tessera::orbitals
