// Factors of a primitive along the three axes with their derivatives, and the polynomial rows of
// derivatives.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"
#include "kokkos_kernels/orbitals/field_cut.hpp"

namespace tessera::kernels {

/// d^k exp(-a d^2), k = 0 .. l, and its first `Orders` - 1 derivatives on the points of a tile
/// along each axis. `XPitch` numbers lie between two columns of x.
template <class Shape, int Page, int Orders, int XPitch>
struct DerivativeTables {
    double* data;
    static constexpr int y_at = Page * XPitch, z_at = y_at + Page * Orders * Shape::y;

    KOKKOS_INLINE_FUNCTION const double* x(int column, int order) const {
        return data + column * XPitch + order * Shape::x;
    }
    KOKKOS_INLINE_FUNCTION const double* y(int column, int order) const {
        return data + y_at + (column * Orders + order) * Shape::y;
    }
    KOKKOS_INLINE_FUNCTION const double* z(int column, int order) const {
        return data + z_at + (column * Orders + order) * Shape::z;
    }

    /// Fills `Width` neighbouring points of a group. `point` counts along x, then y, then z, like
    /// the coordinates (bohr).
    template <int L, int Width>
    KOKKOS_FUNCTION void fill(const double* coordinates, const DeviceGroup& group, int column,
                              int point) const {
        if (point < Shape::x)
            fill_axis<L, Width, Shape::x, XPitch>(coordinates + point, group, 0,
                                                  data + column * XPitch + point);
        else if (point < Shape::x + Shape::y)
            fill_axis<L, Width, Shape::y, Orders * Shape::y>(
                coordinates + point, group, 1,
                data + y_at + column * Orders * Shape::y + point - Shape::x);
        else
            fill_axis<L, Width, Shape::z, Orders * Shape::z>(
                coordinates + point, group, 2,
                data + z_at + column * Orders * Shape::z + point - Shape::x - Shape::y);
    }

  private:
    template <int L, int Width, int Extent, int Pitch>
    KOKKOS_FUNCTION static void fill_axis(const double* coordinates, const DeviceGroup& group,
                                          int axis, double* out) {
        const double center = group.center[axis], rate = group.rate;
        const double falling = rate * 1.3862943611198906;  // 2 a
        for (int w = 0; w < Width; ++w) {
            const double d = coordinates[w] - center;
            double power[L + 3];  // d^k times the exponential
            power[0] = exp2_minus(rate * d * d);
            TESSERA_UNROLL_ALL
            for (int k = 1; k < L + 3; ++k) power[k] = power[k - 1] * d;
            TESSERA_UNROLL_ALL
            for (int k = 0; k <= L; ++k) {
                double* const to = out + k * Pitch + w;
                to[0] = power[k];
                to[Extent] = (k > 0 ? k * power[k > 0 ? k - 1 : 0] : 0.0) - falling * power[k + 1];
                if constexpr (Orders > 2)
                    to[2 * Extent] = (k > 1 ? k * (k - 1) * power[k > 1 ? k - 2 : 0] : 0.0) +
                                     falling * (falling * power[k + 2] - (2 * k + 1) * power[k]);
            }
        }
    }
};

/// Rows (y, z) of the columns of one group in `Orbitals` orbitals, for `Width` neighbouring y and
/// `Depth` neighbouring z:
///     rows[i][orbital][kind][z][y] = sum_jk c_ijk D(y^j Y)(y) D'(z^k Z)(z)
/// with the derivatives D and D' of each kind. `Pitch` numbers lie between two kinds, and
/// `ColumnPitch` between two i.
template <int L, FieldDerivatives D, int Orbitals, int Width, int Depth, int Pitch, int ColumnPitch,
          class Tables>
KOKKOS_FUNCTION void derivative_rows(const Tables& tables, int column, int y, int z,
                                     const double* const (&coefficients)[Orbitals], double* rows) {
    using Products = FieldProducts<D>;
    using Few = Pack<double, Width>;
    constexpr int orders = Products::orders, kinds = Products::kinds;
    TESSERA_UNROLL_ALL
    for (int i = 0; i <= L; ++i) {
        Few sums[Orbitals][Depth][kinds] = {};
        TESSERA_UNROLL_ALL
        for (int j = 0; i + j <= L; ++j) {
            double along[Orbitals][Depth][orders] = {};
            TESSERA_UNROLL_ALL
            for (int k = 0; i + j + k <= L; ++k) TESSERA_UNROLL_ALL
            for (int n = 0; n < Orbitals; ++n) {
                const double c = coefficients[n][monomial_index(i, j, k)];
                for (int o = 0; o < orders; ++o)
                    for (int d = 0; d < Depth; ++d)
                        along[n][d][o] += c * tables.z(column + k, o)[z + d];
            }
            const typename Few::Read none = Few::at(tables.y(column + j, 0) + y);
            const typename Few::Read once = Few::at(tables.y(column + j, 1) + y);
            TESSERA_UNROLL_ALL
            for (int n = 0; n < Orbitals; ++n) TESSERA_UNROLL_ALL
            for (int d = 0; d < Depth; ++d)
                for (int w = 0; w < Width; ++w) {
                    Few(&sum)[kinds] = sums[n][d];
                    sum[0].v[w] += along[n][d][0] * none.v[w];
                    sum[1].v[w] += along[n][d][0] * once.v[w];
                    sum[2].v[w] += along[n][d][1] * none.v[w];
                    if constexpr (Products::hessian) sum[4].v[w] += along[n][d][1] * once.v[w];
                }
            if constexpr (orders > 2) {
                const typename Few::Read twice = Few::at(tables.y(column + j, 2) + y);
                TESSERA_UNROLL_ALL
                for (int n = 0; n < Orbitals; ++n) TESSERA_UNROLL_ALL
                for (int d = 0; d < Depth; ++d)
                    for (int w = 0; w < Width; ++w) {
                        Few(&sum)[kinds] = sums[n][d];
                        sum[3].v[w] += along[n][d][0] * twice.v[w];
                        sum[kinds - 1].v[w] += along[n][d][2] * none.v[w];
                    }
            }
        }
        TESSERA_UNROLL_ALL
        for (int n = 0; n < Orbitals; ++n) TESSERA_UNROLL_ALL
        for (int kind = 0; kind < kinds; ++kind)
            for (int d = 0; d < Depth; ++d)
                Few::at(rows + i * ColumnPitch + (n * kinds + kind) * Pitch + d * Width) =
                    sums[n][d][kind];
    }
}

}  // namespace tessera::kernels
