// The groups of a problem as kernels read them: sorted by degree, with their bounds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/units.hpp"
#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/monomial_bounds.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

using units::log2_e;

/// Throws Error if the kernels cannot evaluate a group.
inline void check_groups(const OrbitalProblem& problem) {
    for (const PrimitiveGroup& group : problem.groups) {
        if (!(group.exponent > 0))
            throw Error("a primitive with exponent " + std::to_string(group.exponent),
                        "exponents must be positive", "correct the basis set");
        if (group.l < 0 || group.l > max_degree)
            throw Error("a basis function of degree " + std::to_string(group.l),
                        "the kernels go up to degree " + std::to_string(max_degree) +
                            " (h functions)",
                        "use a smaller basis set");
    }
}

struct DeviceGroup {
    double center[3];  ///< bohr
    double rate;       ///< exponent * log2(e): the primitive is 2^(-rate r^2), bohr^-2
    int degree;
    int first;  ///< its first padded coefficient in a row
};

/// Where each degree begins in the sorted order. It saves reading what follows from a group's
/// place.
struct DegreeIndex {
    int group[max_degree + 2] =
        {};  ///< first group of the degree; at the end, the number of groups
    int coefficient[max_degree + 1] = {};  ///< first coefficient of that group in a row

    KOKKOS_INLINE_FUNCTION int degree_of(int g) const {
        int degree = 0;
        TESSERA_UNROLL_ALL
        for (int l = 1; l <= max_degree; ++l) degree += g >= group[l];
        return degree;
    }
    template <int L>
    KOKKOS_INLINE_FUNCTION int first_coefficient(int g) const {
        return coefficient[L] + (g - group[L]) * padded_monomials(L);
    }
};

/// Bounds of the groups, array by array, so that threads and vectors read neighbours. They are
/// padded with groups of bound 0 to a multiple of `padding`.
struct GroupBounds {
    static constexpr int padding = 128;
    static constexpr int terms = (max_degree + 1) / 2 + 1;
    const double* center;  ///< [3][pitch]
    const float* data;     ///< [3 + terms][pitch]: rate, falling, peak, polynomial in r^2
    int pitch;

    /// Bound of |polynomial * exponential| of group g, for any orbital, at every distance of at
    /// least sqrt(distance_squared). With s = r^2, s^k exp(-a s) grows up to s = k / a. For s below
    /// `falling`, the bound is therefore that of all space. The arrays include a margin for
    /// rounding.
    KOKKOS_INLINE_FUNCTION float beyond(int g, double distance_squared) const {
        const float s = static_cast<float>(distance_squared) * (1 - 1e-6F);
        const float rate = data[g], falling = data[pitch + g], peak = data[2 * pitch + g];
        float polynomial = data[(2 + terms) * pitch + g];
        TESSERA_UNROLL_ALL
        for (int k = terms - 2; k >= 0; --k)
            polynomial = polynomial * s + data[(3 + k) * pitch + g];
        const float t = rate * s;
        const float far = polynomial * exp2_minus(t < 120.0F ? t : 120.0F);
        return s < falling ? peak : far;
    }
};

/// Groups and coefficients of a checked problem. The host makes this table, sorted by degree
/// (stable).
template <class Real>
struct PrimitiveTable {
    std::vector<DeviceGroup> groups;
    DegreeIndex degrees;
    int pitch = 0;
    std::vector<double> centers;           ///< GroupBounds::center
    std::vector<float> bounds;             ///< GroupBounds::data
    std::size_t rows = 0;                  ///< orbitals
    std::unique_ptr<Real[]> coefficients;  ///< [row][stride]
    std::int64_t stride = 0;

    explicit PrimitiveTable(const OrbitalProblem& problem) {
        const std::vector<int> order = sorted_by_degree(problem);
        constexpr int padding = GroupBounds::padding;
        pitch = (static_cast<int>(order.size()) + padding - 1) / padding * padding;
        centers.resize(3 * pitch);
        bounds.resize((3 + GroupBounds::terms) * pitch);
        for (int g : order) {
            const PrimitiveGroup& group = problem.groups[g];
            groups.push_back({{group.center.x, group.center.y, group.center.z},
                              group.exponent * log2_e,
                              group.l,
                              static_cast<int>(stride)});
            stride += padded_monomials(group.l);
        }
        constexpr std::size_t run = 64;  // groups whose part of a row is read at once
#pragma omp parallel for if (order.size() * problem.coefficients.size() > 16384)
        for (std::size_t first = 0; first < order.size(); first += run)
            bound_groups(problem, order, first, std::min(first + run, order.size()));
        std::int64_t at = 0;
        for (int l = 0, g = 0; l <= max_degree; ++l) {
            degrees.group[l] = g;
            degrees.coefficient[l] = static_cast<int>(at);
            for (; g < static_cast<int>(groups.size()) && groups[g].degree == l; ++g)
                at += padded_monomials(l);
            degrees.group[l + 1] = g;
        }
        rows = problem.coefficients.size();
        // Not zeroed here, so that every thread is the first to touch the memory of its rows.
        coefficients = std::make_unique_for_overwrite<Real[]>(rows * stride);
#pragma omp parallel for if (order.size() * rows > 16384)
        for (std::size_t o = 0; o < rows; ++o)
            copy_row(problem, order, problem.coefficients[o].data(),
                     coefficients.get() + o * stride);
    }

  private:
    static std::vector<int> sorted_by_degree(const OrbitalProblem& problem) {
        std::vector<int> order(problem.groups.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return problem.groups[a].l < problem.groups[b].l; });
        return order;
    }

    void copy_row(const OrbitalProblem& problem, const std::vector<int>& order, const double* from,
                  Real* to) const {
        const auto copy_degree = [&]<int L>(std::integral_constant<int, L>) {
            constexpr int all = monomials(L), padded = padded_monomials(L);
            for (int i = degrees.group[L]; i < degrees.group[L + 1]; ++i, to += padded) {
                const double* const of_group = from + problem.groups[order[i]].first;
                for (int m = 0; m < all; ++m) to[m] = static_cast<Real>(of_group[m]);
                for (int m = all; m < padded; ++m) to[m] = 0;
            }
        };
        [&]<int... L>(std::integer_sequence<int, L...>) {
            (copy_degree(std::integral_constant<int, L>{}), ...);
        }
        (std::make_integer_sequence<int, max_degree + 1>{});
    }

    /// Bounds the groups [first, end) of the order by the largest values over all orbitals.
    void bound_groups(const OrbitalProblem& problem, const std::vector<int>& order,
                      std::size_t first, std::size_t end) {
        std::vector<std::array<double, max_bounded_degree + 1>> largest(end - first);
        for (const auto& row : problem.coefficients)
            for (std::size_t i = first; i < end; ++i) {
                const PrimitiveGroup& group = problem.groups[order[i]];
                double* const of_group = largest[i - first].data();
                const auto use = [of_group](int e, double bound) {
                    of_group[e] = std::max(of_group[e], bound);
                };
                if (problem.derivatives == 0)
                    for_degree_bounds(row.data() + group.first, group.l, use);
                else
                    for_derivative_bounds(row.data() + group.first, group.l, group.exponent,
                                          problem.derivatives, 0, use);
            }
        for (std::size_t i = first; i < end; ++i) {
            const PrimitiveGroup& group = problem.groups[order[i]];
            bound_group(group, group.l + problem.derivatives, largest[i - first].data(),
                        static_cast<int>(i));
        }
    }

    /// Even powers bound odd ones: r <= (rho + r^2 / rho) / 2, with rho^2 = 12 / a. Where a group
    /// has fallen to about 1e-6, the two sides are nearly equal. The table has no room for r^7, of
    /// second derivatives of h functions. There r <= exp(d r^2) / sqrt(2 e d), with d = a / 10.
    void bound_group(const PrimitiveGroup& group, int degree, const double* largest, int at) {
        constexpr double margin = 1.0001;
        constexpr int most = 2 * (GroupBounds::terms - 1);
        double a = group.exponent, peak = 0;
        for (int e = 0; e <= degree; ++e)  // The largest r^e exp(-a r^2), at r^2 = e / 2a.
            peak += largest[e] * std::pow(e / (2 * a), e / 2.0) * std::exp(-e / 2.0);
        double beyond = 0;
        if (degree > most) {
            beyond = largest[most + 1] / std::sqrt(0.2 * std::exp(1.0) * a);
            a *= 0.9;
            degree = most;
        }
        const double rho = std::sqrt(12 / a);
        double polynomial[GroupBounds::terms] = {};
        for (int e = 0; e <= degree; ++e) {
            const double bound = largest[e] + (e == most ? beyond : 0);
            polynomial[e / 2] += e % 2 == 0 ? bound : bound * rho / 2;
            if (e % 2 == 1) polynomial[e / 2 + 1] += bound / (2 * rho);
        }
        const auto set = [&](int row, double value) {
            bounds[row * pitch + at] = static_cast<float>(value);
        };
        set(0, a * log2_e);
        set(1, (degree + 1) / 2 / a * margin);
        set(2, peak * margin);
        for (int k = 0; k < GroupBounds::terms; ++k) set(3 + k, polynomial[k] * margin);
        centers[at] = group.center.x;
        centers[pitch + at] = group.center.y;
        centers[2 * pitch + at] = group.center.z;
    }
};

}  // namespace tessera::kernels
