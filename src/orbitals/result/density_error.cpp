#include "orbitals/result/density_error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/compensated_sum.hpp"
#include "orbitals/basis/gaussian_norms.hpp"

namespace tessera::orbitals {

namespace {

constexpr double pi = std::numbers::pi;

/// The sum of exp(-p x^2) over the points of an endless axis, divided by its integral. `offset` is
/// the distance of the centre from a point. By Poisson's formula the sum over the reciprocal points
/// is the same, and one of the two converges fast.
double axis_ratio(double p, double h, double offset) {
    constexpr int terms = 7;
    double sum = 0;
    if (p * h * h < pi) {
        for (int k = 1; k <= terms; ++k)
            sum += 2 * std::exp(-pi * pi * k * k / (p * h * h)) * std::cos(2 * pi * k * offset / h);
        return 1 + sum;
    }
    const double within = offset - h * std::round(offset / h);
    for (int i = -terms; i <= terms; ++i) {
        const double x = i * h - within;
        sum += std::exp(-p * x * x);
    }
    return sum * h * std::sqrt(p / pi);
}

/// A primitive exp(-a r^2) of an s function, with its factor in that function.
struct Primitive {
    std::size_t function;
    double exponent, factor;
};

/// The s primitives of each atom.
std::vector<std::vector<Primitive>> s_primitives(const io::Wavefunction& wavefunction) {
    std::vector<std::vector<Primitive>> of_atoms(wavefunction.nuclei.size());
    const double angular = cartesian_norm({0, 0, 0});
    std::size_t function = 0;
    for (const io::BasisShell& shell : wavefunction.shells) {
        if (shell.l == 0) {
            const std::vector<double> radial = radial_coefficients(shell);
            for (std::size_t p = 0; p < radial.size(); ++p)
                of_atoms[static_cast<std::size_t>(shell.atom)].push_back(
                    {function, shell.exponents[p], radial[p] * angular});
        }
        function += static_cast<std::size_t>(shell.functions());
    }
    return of_atoms;
}

/// The error of the integral of exp(-p r^2) about `center`.
double error_of(double p, Vec3 center, const UniformGrid& grid) {
    const double ratio = axis_ratio(p, grid.spacing.x, center.x - grid.origin.x) *
                         axis_ratio(p, grid.spacing.y, center.y - grid.origin.y) *
                         axis_ratio(p, grid.spacing.z, center.z - grid.origin.z);
    return std::pow(pi / p, 1.5) * (ratio - 1);
}

}  // namespace

double core_grid_error(const io::Wavefunction& wavefunction, const std::vector<double>& weights,
                       const UniformGrid& grid) {
    const auto of_atoms = s_primitives(wavefunction);
    CompensatedSum<double> sum;
    for (std::size_t atom = 0; atom < of_atoms.size(); ++atom) {
        const auto& primitives = of_atoms[atom];
        for (std::size_t a = 0; a < primitives.size(); ++a)
            for (std::size_t b = 0; b <= a; ++b) {
                const Primitive &one = primitives[a], &other = primitives[b];
                const double error = (a == b ? 1 : 2) * one.factor * other.factor *
                                     error_of(one.exponent + other.exponent,
                                              wavefunction.nuclei[atom].position, grid);
                if (std::abs(error) < 1e-12) continue;
                for (std::size_t i = 0; i < weights.size(); ++i)
                    if (weights[i] != 0)
                        sum.add(weights[i] * error *
                                wavefunction.orbitals[i].coefficients[one.function] *
                                wavefunction.orbitals[i].coefficients[other.function]);
            }
    }
    return sum.result();
}

std::string explained_integral(double integral, double electrons, double core_error) {
    const double difference = integral - electrons, least = 1e-3 * electrons;
    if (!(std::abs(difference) > least)) return {};
    std::string text = fmt::format("  the orbitals hold {:.6f}: the grid is off by {:+.6f}\n",
                                   electrons, difference);
    if (std::abs(core_error) > least)
        text += fmt::format("  {:+.6f} at the nuclei: their cusps are narrower than the spacing; a "
                            "finer --spacing helps\n",
                            core_error);
    if (const double rest = difference - core_error; std::abs(rest) > least)
        text += fmt::format("  {:+.6f} elsewhere: {}\n", rest,
                            rest < 0 ? "density outside the box; a larger --padding or --grid helps"
                                     : "the spacing is too coarse; a finer --spacing helps");
    return text;
}

}  // namespace tessera::orbitals
