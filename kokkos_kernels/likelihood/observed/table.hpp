// Plain types of the kernels of the observables of stars (docs/method/likelihood.md).
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::kernels {

/// Numbers of a distribution for each observable: mean, slope, curvature and dispersion.
inline constexpr int spread_numbers = 4;

/// Kernels exist for these numbers of observables. Others have the next larger one, with
/// observables that no star has. 0: there are too many.
constexpr int observed_width(int observables) {
    for (const int width : {2, 3, 4, 6, 8})
        if (observables <= width) return width;
    return 0;
}

/// What is measured of the stars. Columns: the place along the stripe, `width` values (NaN: not
/// measured), and the covariances of the errors of (0, 0), (1, 0), (1, 1), (2, 0) ... What is not
/// measured has variance 1 and no covariances.
struct ObservedTable {
    static constexpr std::size_t padding = 64;
    static constexpr int along = 0;
    static constexpr int value(int i) { return 1 + i; }
    static constexpr int covariance(int width, int i, int j) {
        return 1 + width + i * (i + 1) / 2 + j;
    }
    static constexpr int columns(int width) { return covariance(width, width, 0); }

    int stars = 0, width = 0, populations = 0, streams = 0;
    std::size_t stride = 0;  ///< stars and the stars without values that fill up the last block
    std::vector<double> columns_of;  ///< [column][stride]

    int distributions() const { return populations + streams; }
    bool empty() const { return width == 0; }
};

/// The distributions of a parameter set: those of the populations, then of the streams. Each has
/// the logarithm of its share of the background (0 for streams), and [width][spread_numbers].
constexpr int distribution_numbers(int width) { return 1 + width * spread_numbers; }

/// Sums over the stars for each distribution, with weights w: the share of a distribution in the
/// density of a star. First that of w, then for each observable the sums of w times the derivatives
/// of the logarithm of the density by mean, slope, curvature, and dispersion over the dispersion.
constexpr int slope_numbers(int width) { return 1 + width * spread_numbers; }

}  // namespace tessera::kernels
