#include "kokkos_kernels/orbitals/esp/boys_table.hpp"

#include <cmath>

namespace tessera::kernels {

namespace {

/// exp(-T) times the sum of (2T)^k / ((2n+1)(2n+3)...(2n+2k+1)), whose terms are all positive.
long double boys_series(int n, long double T) {
    long double term = 1.0L / (2 * n + 1), sum = term;
    for (int k = 1; term > 1e-21L * sum; ++k) {
        term *= 2 * T / (2 * n + 2 * k + 1);
        sum += term;
    }
    return std::exp(-T) * sum;
}

}  // namespace

std::vector<double> BoysTable::make() {
    std::vector<double> table(static_cast<std::size_t>(rows) * columns);
    for (int row = 0; row < rows; ++row) {
        const long double T = static_cast<long double>(row) / per_unit, fading = std::exp(-T);
        double* const to = table.data() + static_cast<std::ptrdiff_t>(row) * columns;
        to[0] = static_cast<double>(fading);
        long double value = boys_series(columns - 2, T);
        for (int n = columns - 2; n >= 0; --n) {
            to[1 + n] = static_cast<double>(value);
            value = (2 * T * value + fading) / (2 * n - 1);
        }
    }
    return table;
}

}  // namespace tessera::kernels
