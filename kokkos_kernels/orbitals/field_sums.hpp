// What an orbital adds to the sums of derived fields.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/field_cut.hpp"

namespace tessera::kernels {

/// The sums over orbitals on a part of a tile.
template <class Cut, class Block>
struct FieldSums {
    using At = typename Cut::SumsAt;
    static constexpr bool host = Block::size == 1;
    static constexpr FieldDerivatives derivatives = Cut::derivatives;

    const Block& block;
    double* values;  ///< [output][Cut::points] of the orbital
    double* sums;    ///< [At::count][Cut::points]

    /// Adds an orbital's values and derivatives to the sums, several points at once.
    KOKKOS_FUNCTION void add(double alpha, double beta) const {
        constexpr int width = host ? 8 : 1;
        using Few = Pack<double, width>;
        TESSERA_KEEP_LOOP
        for (int i = block.rank() * width; i < Cut::points; i += block.size * width) {
            Few psi[Cut::Products::outputs];
            TESSERA_UNROLL_ALL
            for (int o = 0; o < Cut::Products::outputs; ++o)
                psi[o] = Few::at(values + o * Cut::points + i);
            if (alpha != 0) add_spin(At::alpha, alpha, psi, i);
            if (beta != 0) add_spin(At::beta, beta, psi, i);
            add_both(alpha + beta, psi, i);
        }
    }

  private:
    template <class Few>
    static constexpr int width_of = static_cast<int>(sizeof(Few) / sizeof(double));

    /// Adds one spin's w psi^2 and w psi times the derivatives by x, y, z.
    template <class Few, int Outputs>
    KOKKOS_INLINE_FUNCTION void add_spin(int at, double weight, const Few (&psi)[Outputs],
                                         int i) const {
        TESSERA_UNROLL_ALL
        for (int o = 0; o < 4; ++o) {
            Few& sum = Few::at(sums + (at + o) * Cut::points + i);
            for (int w = 0; w < width_of<Few>; ++w) sum.v[w] += weight * psi[0].v[w] * psi[o].v[w];
        }
    }

    /// Adds what both spins have together.
    template <class Few, int Outputs>
    KOKKOS_INLINE_FUNCTION void add_both(double weight, const Few (&psi)[Outputs], int i) const {
        const auto add = [&](int at, const auto& term) {
            Few& sum = Few::at(sums + at * Cut::points + i);
            for (int w = 0; w < width_of<Few>; ++w) sum.v[w] += weight * term(w);
        };
        add(At::squares, [&](int w) {
            return psi[1].v[w] * psi[1].v[w] + psi[2].v[w] * psi[2].v[w] +
                   psi[3].v[w] * psi[3].v[w];
        });
        if constexpr (derivatives == FieldDerivatives::laplacian)
            add(At::second, [&](int w) { return psi[0].v[w] * psi[4].v[w]; });
        if constexpr (derivatives == FieldDerivatives::hessian) {
            int at = 0;
            TESSERA_UNROLL_ALL
            for (int a = 1; a <= 3; ++a) TESSERA_UNROLL_ALL
            for (int b = a; b <= 3; ++b) {
                add(At::second + at, [&](int w) {
                    return psi[a].v[w] * psi[b].v[w] + psi[0].v[w] * psi[4 + at].v[w];
                });
                ++at;
            }
        }
    }
};

}  // namespace tessera::kernels
