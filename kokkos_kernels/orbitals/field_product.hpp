// The inner loop of derived fields on a device: psi[output][row][x] += rows[kind][row] *
// columns[order][x], summed over columns, for all products of FieldProducts at once.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/field_sums.hpp"

namespace tessera::kernels {

/// The two points of a thread: an orbital's values there, and the sums over orbitals. A warp has
/// 8 x 8 of the tile's points. Tensor cores multiply four columns at a time in double precision.
template <class Cut>
class FieldPoints {
    using Products = typename Cut::Products;
    using Two = Pack<double, 2>;
    static constexpr int kinds = Products::kinds, orders = Products::orders,
                         outputs = Products::outputs, width = Cut::Shape::x, across = width / 8;
    static_assert(Cut::threads == 32 * across * (Cut::rows / 8), "a warp for every 8 x 8 points");

  public:
    template <class Block>
    KOKKOS_FUNCTION explicit FieldPoints(const Block& block)
        : lane_(block.rank() % 32),
          row_(block.rank() / 32 / across * 8),
          x_(block.rank() / 32 % across * 8) {}

    KOKKOS_INLINE_FUNCTION void begin_orbital() {
        TESSERA_UNROLL_ALL
        for (int o = 0; o < outputs; ++o) psi_[o] = {};
    }

    /// Adds `count` columns to the orbital's values. The tables of the column c are at
    /// tables[places[c]][order][x], and `rows` is [c][Cut::column_pitch] with [kind][row].
    KOKKOS_INLINE_FUNCTION void add(const double* rows, const double* tables, const int* places,
                                    int count) {
        const int own = lane_ % 4, line = lane_ / 4;
        const double* const row = rows + own * Cut::column_pitch + row_ + line;
        const double* const table = tables + x_ + line;
        for (int c = 0; c < count; c += 4) {
            const bool is_column = c + own < count;
            const int place = places[is_column ? c + own : c];
            double a[kinds], b[orders];
            TESSERA_UNROLL_ALL
            for (int k = 0; k < kinds; ++k)
                a[k] = is_column ? row[c * Cut::column_pitch + k * Cut::rows] : 0.0;
            TESSERA_UNROLL_ALL
            for (int o = 0; o < orders; ++o) b[o] = table[(place * orders + o) * width];
            TESSERA_UNROLL_ALL
            for (int p = 0; p < Products::products; ++p)
                multiply(psi_[Products::output(p)], a[Products::kind(p)], b[Products::order(p)]);
        }
    }

    KOKKOS_INLINE_FUNCTION void end_orbital(double alpha, double beta) {
        const auto sum = [this](int at) -> Two& { return sums_[at]; };
        FieldSums<Cut, Two, decltype(sum)>{psi_, sum}.add(alpha, beta);
    }

    /// Writes the sums to [Cut::SumsAt::count][Cut::points].
    KOKKOS_INLINE_FUNCTION void store(double* sums) const {
        const int at = (row_ + lane_ / 4) * width + x_ + lane_ % 4 * 2;
        TESSERA_UNROLL_ALL
        for (int s = 0; s < Cut::SumsAt::count; ++s)
            Two::at(sums + s * Cut::points + at) = sums_[s];
    }

  private:
    /// Adds the product of 8 rows and 8 points along x over four columns. A lane holds one number
    /// of each factor, and two neighbouring points of the sum.
    KOKKOS_INLINE_FUNCTION static void
    multiply([[maybe_unused]] Two& sum, [[maybe_unused]] double a, [[maybe_unused]] double b) {
#ifdef __CUDA_ARCH__
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
            : "+d"(sum.v[0]), "+d"(sum.v[1])
            : "d"(a), "d"(b));
#endif
    }

    int lane_, row_, x_;
    Two psi_[outputs] = {};
    Two sums_[Cut::SumsAt::count] = {};
};

/// What stands for them on a host, where values and sums are in memory.
struct NoFieldPoints {
    template <class Block>
    KOKKOS_FUNCTION explicit NoFieldPoints(const Block& /*block*/) {}
};

}  // namespace tessera::kernels
