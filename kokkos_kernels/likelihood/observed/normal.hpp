// The normal distribution of what is measured of a star, with all loops unrolled: a device keeps it
// in registers, and a host works on many stars at once. What is not measured is an observable of
// variance 1 without a residual, which changes nothing.
#pragma once

#include "kokkos_kernels/device/block_tools.hpp"
#include "kokkos_kernels/likelihood/compressed/lane_math.hpp"
#include "kokkos_kernels/likelihood/observed/table.hpp"

namespace tessera::kernels {

/// ObservedTable on the device.
struct ObservedColumns {
    const double* of;  // [column][stride]
    std::size_t stride;

    KOKKOS_FORCEINLINE_FUNCTION double at(int column, int star) const {
        return of[static_cast<std::size_t>(column) * stride + static_cast<std::size_t>(star)];
    }
};

/// A distribution without its share, in registers.
template <int N>
struct ObservedSpreads {
    double of[N][spread_numbers];

    KOKKOS_FORCEINLINE_FUNCTION explicit ObservedSpreads(const double* numbers) {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < N; ++i)
            for (int k = 0; k < spread_numbers; ++k) of[i][k] = numbers[spread_numbers * i + k];
    }
};

/// L D L^T of the covariance, and what follows from it.
template <int N>
struct ObservedNormal {
    double along;
    double measured[N];  ///< 1 or 0
    double reduced[N];   ///< the inverse of L times the residual
    double pivot[N], inverse[N];
    double lower[N][N];

    KOKKOS_FORCEINLINE_FUNCTION ObservedNormal(const ObservedColumns& table, int star,
                                               const ObservedSpreads<N>& spreads)
        : along(table.at(ObservedTable::along, star)) {
        TESSERA_UNROLL_ALL
        for (int i = 0; i < N; ++i) {
            const double(&of)[spread_numbers] = spreads.of[i];
            const double value = table.at(ObservedTable::value(i), star);
            measured[i] = value == value ? 1.0 : 0.0;
            const double away = value - (of[0] + along * (of[1] + along * of[2]));
            double residual = value == value ? away : 0.0;
            double variance =
                table.at(ObservedTable::covariance(N, i, i), star) + measured[i] * (of[3] * of[3]);
            TESSERA_UNROLL_ALL
            for (int j = 0; j < N; ++j) {
                if (j >= i) continue;
                double entry = table.at(ObservedTable::covariance(N, i, j), star);
                TESSERA_UNROLL_ALL
                for (int k = 0; k < N; ++k)
                    if (k < j) entry -= lower[i][k] * (lower[j][k] * pivot[k]);
                lower[i][j] = entry * inverse[j];
                variance -= lower[i][j] * entry;
                residual -= lower[i][j] * reduced[j];
            }
            pivot[i] = variance;
            inverse[i] = 1 / variance;
            reduced[i] = residual;
        }
    }

    /// Natural logarithm of the density without the factors of 2 pi: 0 if nothing is measured. NaN
    /// if the covariance is not positive, or far from any sensible unit.
    KOKKOS_FORCEINLINE_FUNCTION double log_density() const {
        double squares = 0, logs = 0;
        TESSERA_UNROLL_ALL
        for (int i = 0; i < N; ++i) {
            squares += reduced[i] * reduced[i] * inverse[i];
            const double log = compressed::log_positive(pivot[i]);
            logs += pivot[i] > 1e-300 && pivot[i] < 1e300 ? log : pivot[i] * NAN;
        }
        return -0.5 * (squares + logs);
    }

    /// With V the covariance and r the residual, the derivative of the logarithm by the mean of
    /// observable c is `pull`, row c of V^-1 r, and that by its dispersion is the dispersion times
    /// `narrowing`, pull^2 less the diagonal of V^-1. All are 0 for what is not measured.
    KOKKOS_FORCEINLINE_FUNCTION void slopes(int c, double& pull, double& narrowing) const {
        double column[N];  // of the inverse of L
        double sum = 0, diagonal = 0;
        TESSERA_UNROLL_ALL
        for (int i = 0; i < N; ++i) {
            if (i < c) continue;
            double entry = i == c ? 1.0 : 0.0;
            TESSERA_UNROLL_ALL
            for (int k = 0; k < N; ++k)
                if (k >= c && k < i) entry -= lower[i][k] * column[k];
            column[i] = entry;
            const double scaled = entry * inverse[i];
            sum += scaled * reduced[i];
            diagonal += scaled * entry;
        }
        pull = measured[c] * sum;
        narrowing = measured[c] * (sum * sum - diagonal);
    }
};

}  // namespace tessera::kernels
