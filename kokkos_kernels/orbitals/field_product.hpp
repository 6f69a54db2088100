// The inner loop of derived fields on a device: psi[output][row][x] += rows[kind][row] *
// columns[order][x], summed over columns, for all products of FieldProducts and two orbitals.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/field_sums.hpp"

namespace tessera::kernels {

/// The two points of a thread: the values of two orbitals there, and the sums over orbitals. A warp
/// has 8 x 8 of the tile's points. Tensor cores multiply four columns of both orbitals at a time in
/// double precision.
template <class Cut>
class FieldPoints {
    using Products = typename Cut::Products;
    using Two = Pack<double, 2>;
    static constexpr int kinds = Products::kinds, outputs = Products::outputs,
                         orbitals = Cut::orbitals, width = Cut::Shape::x, across = width / 8;
    static_assert(orbitals == 2);
    static_assert(Cut::threads == 32 * across * (Cut::rows / 8), "a warp for every 8 x 8 points");

  public:
    template <class Block>
    KOKKOS_FUNCTION explicit FieldPoints(const Block& block)
        : lane_(block.rank() % 32),
          row_(block.rank() / 32 / across * 8),
          x_(block.rank() / 32 % across * 8) {}

    KOKKOS_INLINE_FUNCTION void begin_orbitals() {
        TESSERA_UNROLL_ALL
        for (int n = 0; n < orbitals; ++n) TESSERA_UNROLL_ALL
        for (int o = 0; o < outputs; ++o) psi_[n][o] = {};
    }

    /// Adds `count` columns to the orbitals' values. The tables of the column c are at
    /// tables[places[c]][Cut::x_pitch] with [order][x], and `rows` is [c][Cut::column_pitch] with
    /// [orbital][kind][row].
    KOKKOS_INLINE_FUNCTION void add(const double* rows, const double* tables, const int* places,
                                    int count) {
        const int own = lane_ % 4, line = lane_ / 4;
        const double* const row = rows + own * Cut::column_pitch + row_ + line;
        const double* const table = tables + x_ + line;
        for (int c = 0; c < count; c += 4) {
            const bool is_column = c + own < count;
            const double* const column = table + places[is_column ? c + own : c] * Cut::x_pitch;
            double b[Products::orders];
            TESSERA_UNROLL_ALL
            for (int o = 0; o < Products::orders; ++o) b[o] = column[o * width];
            TESSERA_UNROLL_ALL
            for (int k = 0; k < kinds; ++k) {
                double a[orbitals];
                TESSERA_UNROLL_ALL
                for (int n = 0; n < orbitals; ++n)
                    a[n] =
                        is_column ? row[c * Cut::column_pitch + (n * kinds + k) * Cut::rows] : 0.0;
                TESSERA_UNROLL_ALL
                for (int p = 0; p < Products::products; ++p)
                    if (Products::kind(p) == k)
                        multiply(psi_[0][Products::output(p)], psi_[1][Products::output(p)], a,
                                 b[Products::order(p)]);
            }
        }
    }

    KOKKOS_INLINE_FUNCTION void end_orbital(int n, double alpha, double beta) {
        const auto sum = [this](int at) -> Two& { return sums_[at]; };
        FieldSums<Cut, Two, decltype(sum)>{psi_[n], sum}.add(alpha, beta);
    }

    /// Writes the sums to [Cut::SumsAt::count][Cut::points].
    KOKKOS_INLINE_FUNCTION void store(double* sums) const {
        const int at = (row_ + lane_ / 4) * width + x_ + lane_ % 4 * 2;
        TESSERA_UNROLL_ALL
        for (int s = 0; s < Cut::SumsAt::count; ++s)
            Two::at(sums + s * Cut::points + at) = sums_[s];
    }

  private:
    /// Adds the product of 8 rows of each orbital and 8 points along x over four columns. A lane
    /// holds one number of each factor, and two neighbouring points of each sum.
    KOKKOS_INLINE_FUNCTION static void multiply([[maybe_unused]] Two& first,
                                                [[maybe_unused]] Two& second,
                                                [[maybe_unused]] const double (&a)[orbitals],
                                                [[maybe_unused]] double b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
            "{%0,%1,%2,%3};"
            : "+d"(first.v[0]), "+d"(first.v[1]), "+d"(second.v[0]), "+d"(second.v[1])
            : "d"(a[0]), "d"(a[1]), "d"(b));
#elif defined(__CUDA_ARCH__)
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
            : "+d"(first.v[0]), "+d"(first.v[1])
            : "d"(a[0]), "d"(b));
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
            : "+d"(second.v[0]), "+d"(second.v[1])
            : "d"(a[1]), "d"(b));
#endif
    }

    int lane_, row_, x_;
    Two psi_[orbitals][outputs] = {};
    Two sums_[Cut::SumsAt::count] = {};
};

/// What stands for them on a host, where values and sums are in memory.
struct NoFieldPoints {
    template <class Block>
    KOKKOS_FUNCTION explicit NoFieldPoints(const Block& /*block*/) {}
};

}  // namespace tessera::kernels
