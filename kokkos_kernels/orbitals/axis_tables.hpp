// Factors of a primitive along the three axes, and the polynomial rows that are products of two of
// them.
#pragma once

#include "kokkos_kernels/orbitals/point_tile.hpp"
#include "kokkos_kernels/orbitals/primitive_table.hpp"

namespace tessera::kernels {

/// Calls work(std::integral_constant<int, l>) for the given degree.
template <class Work>
KOKKOS_INLINE_FUNCTION void with_degree(int degree, const Work& work) {
    switch (degree) {
        case 0: return work(std::integral_constant<int, 0>{});
        case 1: return work(std::integral_constant<int, 1>{});
        case 2: return work(std::integral_constant<int, 2>{});
        case 3: return work(std::integral_constant<int, 3>{});
        case 4: return work(std::integral_constant<int, 4>{});
        default: return work(std::integral_constant<int, 5>{});
    }
}

/// d^k 2^(-rate d^2) on the points of a tile along each axis, k = 0 .. l. There is one column of x,
/// y and z values for every k of every group. exp(-a r^2) is the product of three such factors.
template <class Real, class Shape, int Page>
struct AxisTables {
    Real* data;
    static constexpr int y_at = Page * Shape::x, z_at = y_at + Page * Shape::y;

    KOKKOS_FUNCTION const Real* x(int column) const { return data + column * Shape::x; }
    KOKKOS_FUNCTION const Real* y(int column) const { return data + y_at + column * Shape::y; }
    KOKKOS_FUNCTION const Real* z(int column) const { return data + z_at + column * Shape::z; }

    /// Fills `Width` neighbouring points of a group. `point` counts along x, then y, then z, like
    /// the coordinates (bohr).
    template <int L, int Width>
    KOKKOS_FUNCTION void fill(const double* coordinates, const DeviceGroup& group, int column,
                              int point) const {
        int axis = 0, index = point, extent = Shape::x, at = 0;
        if (point >= Shape::x + Shape::y) {
            axis = 2, index = point - Shape::x - Shape::y, extent = Shape::z, at = z_at;
        } else if (point >= Shape::x) {
            axis = 1, index = point - Shape::x, extent = Shape::y, at = y_at;
        }
        const double center = group.center[axis], rate = group.rate;
        Real* out = data + at + column * extent + index;
        Real value[Width], power[Width];
        for (int w = 0; w < Width; ++w) {
            const double d = coordinates[point + w] - center;
            value[w] = exp2_minus(static_cast<Real>(rate * d * d));
            power[w] = static_cast<Real>(d);
        }
        TESSERA_UNROLL_ALL
        for (int k = 0; k <= L; ++k) {
            put<Width>(out + k * extent, value);
            for (int w = 0; w < Width; ++w) value[w] *= power[w];
        }
    }

  private:
    template <int Width>
    KOKKOS_FUNCTION static void put(Real* to, const Real (&values)[Width]) {
#ifdef __CUDA_ARCH__
        constexpr int few = Width % 4 == 0 ? 4 : Width % 2 == 0 ? 2 : 1;
#else
        constexpr int few = 1;  // host compilers vectorise by themselves
#endif
        for (int w = 0; w < Width; w += few) {
            Pack<Real, few> pack;
            for (int i = 0; i < few; ++i) pack.v[i] = values[w + i];
            Pack<Real, few>::at(to + w) = pack;
        }
    }
};

/// Rows (y, z) of the columns of one group in one orbital, for `Width` neighbouring y at one z:
///     rows[i][y] = sum_jk c_ijk y^j Y(y) z^k Z(z)   for the powers i of x.
/// `Pitch` numbers lie between the rows of two powers.
template <int L, int Width, int Pitch, class Real, class Tables>
KOKKOS_FUNCTION void polynomial_rows(const Tables& tables, int column, int y, int z,
                                     const Real* coefficients, Real* rows) {
    using Few = Pack<Real, Width>;
    using Four = Pack<Real, 4>;
    // Low degrees read their coefficients four at a time. High degrees have too many to keep.
    constexpr int kept = L <= 2 ? padded_monomials(L) : 4;
    Four c[kept / 4];
    TESSERA_UNROLL_ALL
    for (int m = 0; m < kept / 4; ++m) c[m] = Four::at(coefficients + 4 * m);
    Real power_z[L + 1];
    TESSERA_UNROLL_ALL
    for (int k = 0; k <= L; ++k) power_z[k] = tables.z(column + k)[z];
    TESSERA_UNROLL_ALL
    for (int i = 0; i <= L; ++i) {
        Few sum{};
        TESSERA_UNROLL_ALL
        for (int j = 0; i + j <= L; ++j) {
            Real along_z = 0;
            TESSERA_UNROLL_ALL
            for (int k = 0; i + j + k <= L; ++k) {
                const int m = monomial_index(i, j, k);
                along_z +=
                    (m < kept ? c[m / 4 % (kept / 4)].v[m % 4] : coefficients[m]) * power_z[k];
            }
            const typename Few::Read power_y = Few::at(tables.y(column + j) + y);
            for (int w = 0; w < Width; ++w) sum.v[w] += along_z * power_y.v[w];
        }
        Few::at(rows + i * Pitch) = sum;
    }
}

}  // namespace tessera::kernels
