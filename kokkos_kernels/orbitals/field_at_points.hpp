// The kernel of derived fields at points that form no grid: a thread takes a point.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/field_formulas.hpp"
#include "kokkos_kernels/orbitals/field_sums.hpp"

namespace tessera::kernels {

/// Makes the sums over orbitals of FieldSumsAt from psi and all its first and second derivatives,
/// and fields of them. Rows are taken `rows` at a time, as in SumAtPoints.
struct FieldsAtPoints {
    static constexpr int rows = 4;
    static constexpr FieldDerivatives derivatives = FieldDerivatives::hessian;
    using Products = FieldProducts<derivatives>;
    using SumsAt = FieldSumsAt<derivatives>;

    const DeviceGroup* groups;
    int group_count;
    const double* coefficients;  ///< [pass][stride][rows]
    std::int64_t stride;
    const double* weights;  ///< [pass][rows][2]: of alpha and of beta; 0 beyond the last row
    int passes;
    bool polarised;
    DerivedField fields[derived_fields];
    int field_count;
    const float* points;  ///< [point][3], bohr
    std::int64_t point_count;
    double* values;  ///< [field][point]

    KOKKOS_FUNCTION void operator()(std::int64_t point) const {
        const double place[3] = {points[3 * point], points[3 * point + 1], points[3 * point + 2]};
        One sums[SumsAt::count] = {};
        for (int pass = 0; pass < passes; ++pass) {
            RowSums psi{};
            for (int g = 0; g < group_count; ++g)
                add(groups[g], place, coefficients + pass * stride * rows, psi);
            TESSERA_UNROLL_ALL
            for (int r = 0; r < rows; ++r) {
                const double* const weight = weights + 2 * (pass * rows + r);
                const auto sum = [&](int at) -> One& { return sums[at]; };
                FieldSums<FieldsAtPoints, One, decltype(sum)>{psi.of[r], sum}.add(weight[0],
                                                                                  weight[1]);
            }
        }
        const FieldFormulas<derivatives, 1> formulas{&sums[0].v[0], polarised};
        for (int f = 0; f < field_count; ++f)
            with_field<derivatives>(fields[f], [&]<DerivedField F>() {
                values[f * point_count + point] = formulas.template value<F>(0);
            });
    }

  private:
    using One = Pack<double, 1>;
    /// psi, its derivatives by x, y, z, and those by xx, xy, xz, yy, yz, zz.
    struct RowSums {
        One of[rows][Products::outputs];
    };

    KOKKOS_FUNCTION static void add(const DeviceGroup& group, const double (&place)[3],
                                    const double* coefficients, RowSums& psi) {
        double d[3];
        for (int a = 0; a < 3; ++a) d[a] = place[a] - group.center[a];
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        constexpr double unseen = 100;
        if (group.rate * square > unseen) return;
        const double* const c = coefficients + std::int64_t{group.first} * rows;
        with_degree(group.degree, [&](auto degree) {
            add_monomials<decltype(degree)::value>(c, d, exp2_minus(group.rate * square),
                                                   group.rate * 1.3862943611198906, psi);
        });
    }

    /// d^k exp(-a d^2) and its first two derivatives along one axis, divided by the exponential.
    /// `falling` is 2 a.
    template <int L>
    KOKKOS_FUNCTION static void along_axis(double d, double falling, double (&f)[L + 1][3]) {
        double power[L + 3] = {1};
        for (int k = 1; k < L + 3; ++k) power[k] = power[k - 1] * d;
        for (int k = 0; k <= L; ++k) {
            f[k][0] = power[k];
            f[k][1] = (k > 0 ? k * power[k > 0 ? k - 1 : 0] : 0.0) - falling * power[k + 1];
            f[k][2] = (k > 1 ? k * (k - 1) * power[k > 1 ? k - 2 : 0] : 0.0) +
                      falling * (falling * power[k + 2] - (2 * k + 1) * power[k]);
        }
    }

    template <int L>
    KOKKOS_FUNCTION static void add_monomials(const double* c, const double (&d)[3],
                                              double exponential, double falling, RowSums& psi) {
        double x[L + 1][3], y[L + 1][3], z[L + 1][3];
        along_axis<L>(d[0], falling, x);
        along_axis<L>(d[1], falling, y);
        along_axis<L>(d[2], falling, z);
        for (int i = 0; i <= L; ++i)
            for (int j = 0; i + j <= L; ++j)
                for (int k = 0; i + j + k <= L; ++k) {
                    const double monomial[Products::outputs] = {
                        x[i][0] * y[j][0] * z[k][0], x[i][1] * y[j][0] * z[k][0],
                        x[i][0] * y[j][1] * z[k][0], x[i][0] * y[j][0] * z[k][1],
                        x[i][2] * y[j][0] * z[k][0], x[i][1] * y[j][1] * z[k][0],
                        x[i][1] * y[j][0] * z[k][1], x[i][0] * y[j][2] * z[k][0],
                        x[i][0] * y[j][1] * z[k][1], x[i][0] * y[j][0] * z[k][2]};
                    const double* const of_rows = c + monomial_index(i, j, k) * rows;
                    TESSERA_UNROLL_ALL
                    for (int r = 0; r < rows; ++r) {
                        const double scaled = of_rows[r] * exponential;
                        TESSERA_UNROLL_ALL
                        for (int o = 0; o < Products::outputs; ++o)
                            psi.of[r][o].v[0] += scaled * monomial[o];
                    }
                }
    }
};

}  // namespace tessera::kernels
