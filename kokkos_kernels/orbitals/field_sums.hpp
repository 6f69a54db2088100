// What an orbital adds to the sums of derived fields.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/orbitals/field_cut.hpp"

namespace tessera::kernels {

/// Adds an orbital's values and derivatives to the sums over orbitals at a few points at once.
/// `Few` is a Pack of doubles, and `sum(at)` gives those of the sum at one of FieldSumsAt.
template <class Cut, class Few, class Sum>
struct FieldSums {
    using At = typename Cut::SumsAt;
    static constexpr FieldDerivatives derivatives = Cut::derivatives;
    static constexpr int width = static_cast<int>(sizeof(Few) / sizeof(double));

    const Few (&psi)[Cut::Products::outputs];
    const Sum& sum;

    KOKKOS_INLINE_FUNCTION void add(double alpha, double beta) const {
        if (alpha != 0) add_spin<At::alpha>(alpha);
        if (beta != 0) add_spin<At::beta>(beta);
        add_both(alpha + beta);
    }

  private:
    /// Adds one spin's w psi^2 and w psi times the derivatives by x, y, z.
    template <int First>
    KOKKOS_INLINE_FUNCTION void add_spin(double weight) const {
        TESSERA_UNROLL_ALL
        for (int o = 0; o < 4; ++o) TESSERA_UNROLL_ALL
        for (int w = 0; w < width; ++w) sum(First + o).v[w] += weight * psi[0].v[w] * psi[o].v[w];
    }

    /// Adds what both spins have together.
    KOKKOS_INLINE_FUNCTION void add_both(double weight) const {
        const auto add = [&](int at, const auto& term) {
            TESSERA_UNROLL_ALL
            for (int w = 0; w < width; ++w) sum(at).v[w] += weight * term(w);
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
