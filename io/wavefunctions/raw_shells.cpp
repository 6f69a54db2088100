#include "io/wavefunctions/raw_shells.hpp"

#include <cmath>
#include <numbers>

namespace tessera::io {

double radial_norm(int l, double exponent) {
    return std::sqrt(2 * std::pow(2 * exponent, l + 1.5) / std::tgamma(l + 1.5));
}

double normalise_primitives(BasisShell& shell) {
    for (std::size_t p = 0; p < shell.exponents.size(); ++p)
        shell.coefficients[p] /= radial_norm(shell.l, shell.exponents[p]);
    double overlap = 0;
    for (std::size_t p = 0; p < shell.exponents.size(); ++p)
        for (std::size_t q = 0; q < shell.exponents.size(); ++q) {
            const double a = shell.exponents[p], b = shell.exponents[q];
            overlap += shell.coefficients[p] * shell.coefficients[q] *
                       std::pow(2 * std::sqrt(a * b) / (a + b), shell.l + 1.5);
        }
    return std::sqrt(overlap);
}

double monomial_norm(const CartesianPowers& powers) {
    const auto double_factorial = [](int n) {
        double product = 1;
        for (int i = n; i > 1; i -= 2) product *= i;
        return product;
    };
    double square = double_factorial(2 * (powers[0] + powers[1] + powers[2]) + 1);
    for (const int power : powers) square /= double_factorial(2 * power - 1);
    return std::sqrt(square / (4 * std::numbers::pi));
}

}  // namespace tessera::io
