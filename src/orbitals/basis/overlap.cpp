#include "orbitals/basis/overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "orbitals/basis/gaussian_norms.hpp"
#include "orbitals/basis/periodic_images.hpp"

namespace tessera::orbitals {
namespace {

struct ShellFunctions {
    Vec3 center;
    int l = 0;
    std::size_t first = 0;  // index of its first function
    std::vector<double> exponents, radial;
    std::vector<std::vector<double>> angular;
    std::vector<io::CartesianPowers> monomials;  // of degree l, in place_in_degree order
};

std::vector<ShellFunctions> shell_functions(const io::Wavefunction& wavefunction) {
    std::vector<ShellFunctions> shells;
    std::size_t first = 0;
    for (const io::BasisShell& shell : wavefunction.shells) {
        ShellFunctions functions{wavefunction.nuclei[static_cast<std::size_t>(shell.atom)].position,
                                 shell.l,
                                 first,
                                 shell.exponents,
                                 radial_coefficients(shell),
                                 angular_functions(shell.l, shell.spherical),
                                 io::cartesian_order(shell.l)};
        std::sort(
            functions.monomials.begin(), functions.monomials.end(),
            [](const auto& a, const auto& b) { return place_in_degree(a) < place_in_degree(b); });
        first += functions.angular.size();
        shells.push_back(std::move(functions));
    }
    return shells;
}

using OneAxis = std::array<std::array<double, io::highest_l + 1>, io::highest_l + 1>;

// The integrals of (x-A)^i (x-B)^j exp(-p (x-P)^2) for i <= la, j <= lb, by the recursion of Obara
// & Saika (J. Chem. Phys. 84, 3963), without the factor exp(-mu (A-B)^2).
void one_axis(double from_a, double from_b, double p, int la, int lb, OneAxis& table) {
    const double half = 0.5 / p;
    const auto at = [&](int i, int j) -> double& {
        return table[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    };
    at(0, 0) = std::sqrt(std::numbers::pi / p);
    for (int i = 0; i < la; ++i)
        at(i + 1, 0) = from_a * at(i, 0) + (i > 0 ? half * i * at(i - 1, 0) : 0);
    for (int j = 0; j < lb; ++j)
        for (int i = 0; i <= la; ++i)
            at(i, j + 1) = from_b * at(i, j) + (j > 0 ? half * j * at(i, j - 1) : 0) +
                           (i > 0 ? half * i * at(i - 1, j) : 0);
}

using Block = std::vector<double>;  // [monomial of a][monomial of b]

void add_primitive_pair(const ShellFunctions& a, const ShellFunctions& b, double exponent_a,
                        double exponent_b, double factor, Block& block) {
    const double p = exponent_a + exponent_b;
    const Vec3 product_center = (1 / p) * (exponent_a * a.center + exponent_b * b.center);
    const Vec3 from_a = product_center - a.center, from_b = product_center - b.center;
    std::array<OneAxis, 3> axes;
    one_axis(from_a.x, from_b.x, p, a.l, b.l, axes[0]);
    one_axis(from_a.y, from_b.y, p, a.l, b.l, axes[1]);
    one_axis(from_a.z, from_b.z, p, a.l, b.l, axes[2]);
    const auto integral = [&](std::size_t axis, const auto& in_a, const auto& in_b) {
        return axes[axis][static_cast<std::size_t>(in_a[axis])]
                   [static_cast<std::size_t>(in_b[axis])];
    };
    double* target = block.data();
    for (const io::CartesianPowers& in_a : a.monomials)
        for (const io::CartesianPowers& in_b : b.monomials)
            *target++ += factor * integral(0, in_a, in_b) * integral(1, in_a, in_b) *
                         integral(2, in_a, in_b);
}

constexpr double neglected = 60;  // e^-60 = 1e-26

/// Adds the integrals of two shells. False if every pair of primitives is too far apart to count.
bool add_monomials(const ShellFunctions& a, const ShellFunctions& b, Block& block) {
    const double distance2 = distance_squared(a.center, b.center);
    bool any = false;
    for (std::size_t p = 0; p < a.exponents.size(); ++p)
        for (std::size_t q = 0; q < b.exponents.size(); ++q) {
            const double mu = a.exponents[p] * b.exponents[q] / (a.exponents[p] + b.exponents[q]);
            const double factor = a.radial[p] * b.radial[q];
            if (factor == 0 || std::log(std::abs(factor)) - mu * distance2 < -neglected) continue;
            add_primitive_pair(a, b, a.exponents[p], b.exponents[q],
                               factor * std::exp(-mu * distance2), block);
            any = true;
        }
    return any;
}

double largest(const std::vector<double>& values) {
    double found = 0;
    for (const double value : values) found = std::max(found, std::abs(value));
    return found;
}

/// The distance beyond which no pair of primitives counts.
double reach_of(const ShellFunctions& a, const ShellFunctions& b) {
    const double least_a = *std::ranges::min_element(a.exponents),
                 least_b = *std::ranges::min_element(b.exponents);
    const double mu = least_a * least_b / (least_a + least_b);
    const double weight = std::log(largest(a.radial) * largest(b.radial));
    return std::sqrt(std::max(neglected + weight, 0.0) / mu);
}

/// Throws Error if the images of some shell are too many for a sum. Threads cannot do so.
void check_images(const std::vector<ShellFunctions>& rows,
                  const std::vector<ShellFunctions>& columns,
                  const std::optional<Lattice>& lattice) {
    double reach = 0;
    for (const ShellFunctions& a : rows)
        for (const ShellFunctions& b : columns)
            if (lattice) reach = std::max(reach, reach_of(a, b));
    if (lattice) require_few_images(most_images(*lattice, {}, reach));
}

/// The sum over the images of b. It moves b.
bool add_over_cells(const ShellFunctions& a, ShellFunctions b, const Lattice& lattice,
                    Block& block) {
    const Vec3 home = b.center;
    bool any = false;
    for_images(lattice, home, {a.center, a.center}, reach_of(a, b), [&](Vec3 t) {
        b.center = home + t;
        any = add_monomials(a, b, block) || any;
    });
    return any;
}

bool monomial_block(const ShellFunctions& a, const ShellFunctions& b,
                    const std::optional<Lattice>& lattice, Block& block) {
    block.assign(a.monomials.size() * b.monomials.size(), 0.0);
    return lattice ? add_over_cells(a, b, *lattice, block) : add_monomials(a, b, block);
}

void add_block(const ShellFunctions& a, const ShellFunctions& b, const Block& block,
               std::size_t columns, std::vector<double>& matrix) {
    for (std::size_t i = 0; i < a.angular.size(); ++i) {
        std::vector<double> half(b.monomials.size(), 0.0);
        for (std::size_t m = 0; m < a.monomials.size(); ++m) {
            if (a.angular[i][m] == 0) continue;
            for (std::size_t n = 0; n < half.size(); ++n)
                half[n] += a.angular[i][m] * block[m * half.size() + n];
        }
        for (std::size_t j = 0; j < b.angular.size(); ++j) {
            double sum = 0;
            for (std::size_t n = 0; n < half.size(); ++n) sum += half[n] * b.angular[j][n];
            matrix[(a.first + i) * columns + b.first + j] = sum;
        }
    }
}

std::size_t functions_of(const io::Wavefunction& wavefunction) {
    return static_cast<std::size_t>(wavefunction.basis_functions());
}

constexpr std::size_t lanes = 16;  // orbitals that are computed side by side
using Lanes = std::array<double, lanes>;

// Adds c_i S_ij c_j and c_j S_ji c_i for the next `rows` rows from i on and all j from i on.
// Several rows are taken at a time, so that coefficients are loaded once for all of them.
template <std::size_t rows>
void add_rows(const std::vector<double>& overlap, std::size_t n, std::size_t i,
              const std::vector<double>& coefficients, Lanes& sums) {
    std::array<Lanes, rows> product{};
    const auto add = [&](std::size_t j) {
        for (std::size_t r = 0; r < rows; ++r) {
            const double s = overlap[(i + r) * n + j];
#pragma omp simd
            for (std::size_t o = 0; o < lanes; ++o)
                product[r][o] += s * coefficients[j * lanes + o];
        }
    };
    for (std::size_t j = i; j < i + rows; ++j) add(j);
    for (Lanes& of_row : product)  // both orders of these pairs have been added
        for (double& value : of_row) value *= 0.5;
    for (std::size_t j = i + rows; j < n; ++j) add(j);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t o = 0; o < lanes; ++o)
            sums[o] += 2 * coefficients[(i + r) * lanes + o] * product[r][o];
}

// <psi|psi> of up to 16 orbitals with coefficients [function][orbital]. The sum of an orbital does
// not depend on the other orbitals.
Lanes self_overlaps(const std::vector<double>& overlap, std::size_t n,
                    const std::vector<double>& coefficients) {
    Lanes sums{};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4) add_rows<4>(overlap, n, i, coefficients, sums);
    for (; i < n; ++i) add_rows<1>(overlap, n, i, coefficients, sums);
    return sums;
}

// |C^T S C - 1| of up to 16 orbitals.
void norm_errors(const io::Wavefunction& wavefunction, const std::vector<double>& overlap,
                 std::span<const int> orbitals, std::span<double> errors) {
    const std::size_t n = functions_of(wavefunction);
    std::vector<double> packed(n * lanes, 0.0);  // [function][orbital]
    for (std::size_t o = 0; o < orbitals.size(); ++o) {
        const auto& c =
            wavefunction.orbitals.at(static_cast<std::size_t>(orbitals[o])).coefficients;
        for (std::size_t i = 0; i < n; ++i) packed[i * lanes + o] = c[i];
    }
    const Lanes sums = self_overlaps(overlap, n, packed);
    for (std::size_t o = 0; o < orbitals.size(); ++o) errors[o] = std::abs(sums[o] - 1);
}

}  // namespace

std::vector<double> overlap_between(const io::Wavefunction& rows, const io::Wavefunction& columns) {
    const std::vector<ShellFunctions> a = shell_functions(rows), b = shell_functions(columns);
    const std::size_t width = functions_of(columns);
    check_images(a, b, columns.lattice);
    std::vector<double> matrix(functions_of(rows) * width, 0.0);
    Block block;
    for (const ShellFunctions& shell_a : a)
        for (const ShellFunctions& shell_b : b)
            if (monomial_block(shell_a, shell_b, columns.lattice, block))
                add_block(shell_a, shell_b, block, width, matrix);
    return matrix;
}

std::vector<double> overlap_matrix(const io::Wavefunction& wavefunction) {
    const std::vector<ShellFunctions> shells = shell_functions(wavefunction);
    const std::size_t n = functions_of(wavefunction);
    check_images(shells, shells, wavefunction.lattice);
    std::vector<double> matrix(n * n, 0.0);
#pragma omp parallel for schedule(dynamic) if (n > 100)
    for (std::size_t a = 0; a < shells.size(); ++a) {
        Block block;
        for (std::size_t b = a; b < shells.size(); ++b)
            if (monomial_block(shells[a], shells[b], wavefunction.lattice, block))
                add_block(shells[a], shells[b], block, n, matrix);
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) matrix[i * n + j] = matrix[j * n + i];
    return matrix;
}

NormError worst_norm(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals) {
    const std::vector<double> overlap = overlap_matrix(wavefunction);
    std::vector<double> errors(orbitals.size());
    const std::size_t blocks = (orbitals.size() + lanes - 1) / lanes;
#pragma omp parallel for schedule(dynamic) if (overlap.size() * blocks > 20000)
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t count = std::min(lanes, orbitals.size() - b * lanes);
        norm_errors(wavefunction, overlap, std::span(orbitals).subspan(b * lanes, count),
                    std::span(errors).subspan(b * lanes, count));
    }
    NormError worst;
    for (std::size_t o = 0; o < errors.size(); ++o) {
        if (errors[o] <= worst.error) continue;  // NaN counts as worst
        worst = {errors[o], orbitals[o]};
        if (std::isnan(errors[o])) break;
    }
    return worst;
}

double worst_norm_error(const io::Wavefunction& wavefunction, const std::vector<int>& orbitals) {
    return worst_norm(wavefunction, orbitals).error;
}

double worst_norm_error(const io::Wavefunction& wavefunction) {
    std::vector<int> all(wavefunction.orbitals.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    return worst_norm_error(wavefunction, all);
}

}  // namespace tessera::orbitals
