// The kernel of PointEvaluator: a thread takes a point.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/point_evaluator.hpp"

namespace tessera::kernels {

/// Rows are taken `rows` at a time, so that their sums stay in registers and one exponential serves
/// all of them. The gradient of a square is 2 psi grad(psi).
struct SumAtPoints {
    static constexpr int rows = 8;

    const DeviceGroup* groups;
    int group_count;
    const double* coefficients;  ///< [pass][stride][rows]
    std::int64_t stride;
    const double* weights;  ///< [pass][rows]; 0 beyond the last row
    int passes;
    bool of_squares;
    const float* points;  ///< [point][3], bohr
    PointValue* values;

    KOKKOS_FUNCTION void operator()(std::int64_t point) const {
        const double place[3] = {points[3 * point], points[3 * point + 1], points[3 * point + 2]};
        double value = 0, gradient[3] = {};
        for (int pass = 0; pass < passes; ++pass) {
            RowSums psi{};
            for (int g = 0; g < group_count; ++g)
                add(groups[g], place, coefficients + pass * stride * rows, psi);
            TESSERA_UNROLL_ALL
            for (int r = 0; r < rows; ++r) {
                const double weight = weights[pass * rows + r];
                value += weight * (of_squares ? psi.value[r] * psi.value[r] : psi.value[r]);
                const double slope = weight * (of_squares ? 2 * psi.value[r] : 1.0);
                for (int a = 0; a < 3; ++a) gradient[a] += slope * psi.gradient[a][r];
            }
        }
        values[point] = {value, {gradient[0], gradient[1], gradient[2]}};
    }

  private:
    /// psi of some rows, and its derivatives.
    struct RowSums {
        double value[rows], gradient[3][rows];
    };

    KOKKOS_FUNCTION static void add(const DeviceGroup& group, const double (&place)[3],
                                    const double* coefficients, RowSums& psi) {
        double d[3];
        for (int a = 0; a < 3; ++a) d[a] = place[a] - group.center[a];
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        constexpr double unseen = 100;
        if (group.rate * square > unseen) return;
        const double exponential = exp2_minus(group.rate * square);
        const double falling = group.rate * 1.3862943611198906;  // twice the exponent
        const double* const c = coefficients + std::int64_t{group.first} * rows;
        with_degree(group.degree, [&](auto degree) {
            add_monomials<decltype(degree)::value>(c, d, exponential, falling, psi);
        });
    }

    /// Derivatives of x^i y^j z^k exp(-a r^2): the exponential times those of the monomial, and
    /// -2 a x times the function.
    template <int L>
    KOKKOS_FUNCTION static void add_monomials(const double* c, const double (&d)[3],
                                              double exponential, double falling, RowSums& psi) {
        double power[3][L + 1];
        for (int a = 0; a < 3; ++a) {
            power[a][0] = 1;
            for (int k = 1; k <= L; ++k) power[a][k] = power[a][k - 1] * d[a];
        }
        TESSERA_UNROLL_ALL
        for (int i = 0; i <= L; ++i) TESSERA_UNROLL_ALL
        for (int j = 0; i + j <= L; ++j) TESSERA_UNROLL_ALL
        for (int k = 0; i + j + k <= L; ++k) {
            const double value = exponential * power[0][i] * power[1][j] * power[2][k];
            double slope[3];
            for (int a = 0; a < 3; ++a) slope[a] = -falling * d[a] * value;
            if (i > 0) slope[0] += exponential * i * power[0][i - 1] * power[1][j] * power[2][k];
            if (j > 0) slope[1] += exponential * j * power[0][i] * power[1][j - 1] * power[2][k];
            if (k > 0) slope[2] += exponential * k * power[0][i] * power[1][j] * power[2][k - 1];
            const double* const of_rows = c + monomial_index(i, j, k) * rows;
            TESSERA_UNROLL_ALL
            for (int r = 0; r < rows; ++r) {
                psi.value[r] += of_rows[r] * value;
                for (int a = 0; a < 3; ++a) psi.gradient[a][r] += of_rows[r] * slope[a];
            }
        }
    }
};

}  // namespace tessera::kernels
