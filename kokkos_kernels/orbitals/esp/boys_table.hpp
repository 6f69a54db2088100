// The Boys function F_n(T), the integral of u^(2n) exp(-T u^2) over u from 0 to 1.
#pragma once

#include <Kokkos_Core.hpp>

#include <vector>

#include "kokkos_kernels/orbitals/esp/potential_problem.hpp"

namespace tessera::kernels {

/// From this T on, exp(-T) is below the rounding error of F_0, ..., F_degree.
constexpr int far_boys(int degree) { return 36 + 3 * degree; }

/// Values at T = 0, h, 2h, ..., for Taylor series around them: F_n(T + d) = sum over k of
/// F_(n+k)(T) (-d)^k / k!.
struct BoysTable {
    static constexpr int per_unit = 16;  ///< steps in T = 1
    static constexpr int terms = 7;      ///< the next one is below 1e-14 F_n(T) for |d| <= h/2
    static constexpr int columns = highest_hermite + terms + 1;  ///< exp(-T), then F_0, F_1, ...
    static constexpr int rows = far_boys(highest_hermite) * per_unit + 1;

    /// All rows, [row][column], correct to the last bits.
    static std::vector<double> make();
};

/// F_0(T), ..., F_L(T) of each lane, with a relative error near 1e-15 (Helgaker, Jorgensen & Olsen
/// 2000, section 9.8). A lane's bits do not depend on the others.
template <int L, int Lanes>
KOKKOS_INLINE_FUNCTION void boys_functions(const double* table, const double (&squares)[Lanes],
                                           double (&values)[L + 1][Lanes]) {
    constexpr double limit = far_boys(L), half_root_pi = 0.88622692545275801365;
    for (int lane = 0; lane < Lanes; ++lane) {
        const double T = squares[lane];
        if (T >= limit) {  // no exponential is left; upward recursion is stable
            const double inverse = 1 / T;
            double value = half_root_pi * Kokkos::sqrt(inverse);
            values[0][lane] = value;
            for (int n = 1; n <= L; ++n) {
                value *= (n - 0.5) * inverse;
                values[n][lane] = value;
            }
            continue;
        }
        const int row = static_cast<int>(T * BoysTable::per_unit + 0.5);
        const double* const at = table + row * BoysTable::columns;
        const double d = static_cast<double>(row) / BoysTable::per_unit - T;
        double value = 0, exponential = 0;
        for (int k = BoysTable::terms - 1; k >= 0; --k) {
            value = at[1 + L + k] + value * d / (k + 1);
            exponential = 1 + exponential * d / (k + 1);
        }
        values[L][lane] = value;
        if constexpr (L > 0) {  // downward recursion
            exponential *= at[0];
            for (int n = L; n > 0; --n) {
                value = (2 * T * value + exponential) * (1.0 / (2 * n - 1));
                values[n - 1][lane] = value;
            }
        }
    }
}

}  // namespace tessera::kernels
