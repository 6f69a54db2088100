// Pixels of equal area on the sphere (HEALPix; Gorski et al. 2005, ApJ 622, 759).
#pragma once

#include <cstdint>

#include "core/vec3.hpp"

namespace tessera::io {

/// A division of the sphere into 12 n^2 pixels.
struct Healpix {
    std::int64_t nside = 1;  ///< n, a power of two if nested
    bool nested = false;     ///< how pixels are numbered: by rings, or by squares within squares

    std::int64_t pixels() const { return 12 * nside * nside; }
    /// The pixel of a direction of any length, from 0.
    std::int64_t pixel_of(const Vec3& direction) const;
};

inline constexpr std::int64_t largest_nside = 8192;

}  // namespace tessera::io
