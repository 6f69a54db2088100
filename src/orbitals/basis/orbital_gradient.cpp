#include "orbitals/basis/orbital_gradient.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/text/one_line.hpp"
#include "orbitals/basis/gaussian_norms.hpp"

namespace tessera::orbitals {

namespace {

using Powers = io::CartesianPowers;

/// A polynomial of one degree, by place_in_degree().
using Polynomial = std::vector<double>;

Polynomial no_polynomial(int degree) {
    return Polynomial(static_cast<std::size_t>((degree + 1) * (degree + 2) / 2), 0.0);
}

/// Adds factor * x^i y^j z^k.
void add(Polynomial& to, const Powers& powers, double factor) {
    to[static_cast<std::size_t>(place_in_degree(powers))] += factor;
}

/// The shell's part of an orbital without its radial function.
Polynomial angular_part(const io::BasisShell& shell, const double* coefficients) {
    Polynomial sum = no_polynomial(shell.l);
    const auto functions = angular_functions(shell.l, shell.spherical);
    for (std::size_t k = 0; k < functions.size(); ++k)
        for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += coefficients[k] * functions[k][m];
    return sum;
}

/// Of the polynomial: its derivative, and its product with the coordinate.
std::pair<Polynomial, Polynomial> lowered_and_raised(const Polynomial& p, int degree,
                                                     std::size_t axis) {
    std::pair<Polynomial, Polynomial> parts{no_polynomial(std::max(degree - 1, 0)),
                                            no_polynomial(degree + 1)};
    for (const Powers& powers : io::cartesian_order(degree)) {
        const double c = p[static_cast<std::size_t>(place_in_degree(powers))];
        Powers less = powers, more = powers;
        ++more[axis];
        add(parts.second, more, c);
        if (powers[axis] == 0) continue;
        --less[axis];
        add(parts.first, less, c * powers[axis]);
    }
    return parts;
}

/// Appends factor * polynomial * exp(-a r^2) as coefficients of a Cartesian shell.
void append(const io::BasisShell& shell, const Polynomial& polynomial, double factor,
            std::vector<double>& coefficients) {
    const double radial = radial_coefficients(shell).front();
    for (const Powers& powers : io::cartesian_order(shell.l))
        coefficients.push_back(factor *
                               polynomial[static_cast<std::size_t>(place_in_degree(powers))] /
                               (radial * cartesian_norm(powers)));
}

}  // namespace

io::Wavefunction gradient_along(const io::Wavefunction& frame, int axis) {
    io::Wavefunction made = frame;
    made.shells.clear();
    for (auto& orbital : made.orbitals) orbital.coefficients.clear();
    std::size_t first = 0;
    for (const io::BasisShell& shell : frame.shells) {
        if (shell.l + 1 > io::highest_l)
            throw Error("the gradient of an orbital of '" + io::one_line(frame.path) +
                            "' cannot be computed",
                        "its basis has h functions, and functions up to g have gradients here",
                        "leave it out");
        const std::vector<double> radial = radial_coefficients(shell);
        for (std::size_t p = 0; p < radial.size(); ++p) {
            const double a = shell.exponents[p];
            const io::BasisShell lower{shell.atom, std::max(shell.l - 1, 0), false, {a}, {1}},
                upper{shell.atom, shell.l + 1, false, {a}, {1}};
            if (shell.l > 0) made.shells.push_back(lower);
            made.shells.push_back(upper);
            for (std::size_t o = 0; o < made.orbitals.size(); ++o) {
                const auto [less, more] = lowered_and_raised(
                    angular_part(shell, frame.orbitals[o].coefficients.data() + first), shell.l,
                    static_cast<std::size_t>(axis));
                std::vector<double>& to = made.orbitals[o].coefficients;
                if (shell.l > 0) append(lower, less, radial[p], to);
                append(upper, more, -2 * a * radial[p], to);
            }
        }
        first += static_cast<std::size_t>(shell.functions());
    }
    return made;
}

}  // namespace tessera::orbitals
