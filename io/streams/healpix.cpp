#include "io/streams/healpix.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera::io {

namespace {

/// A direction as z = cos(theta) and phi in units of a right angle, 0 to 4.
struct Spherical {
    double z = 0, turn = 0;
    double sine = 0;  ///< of theta

    explicit Spherical(const Vec3& v) {
        const double length = norm(v), across = std::hypot(v.x, v.y);
        z = v.z / length;
        sine = across / length;
        turn = std::atan2(v.y, v.x) / (std::numbers::pi / 2);
        if (turn < 0) turn += 4;
        if (turn >= 4) turn = 0;
    }
    bool is_polar() const { return std::abs(z) > 2.0 / 3; }
    /// sqrt(3 (1 - |z|)), without cancellation near the poles.
    double from_pole() const { return sine * std::sqrt(3 / (1 + std::abs(z))); }
};

std::int64_t whole(double value) { return static_cast<std::int64_t>(std::floor(value)); }

/// The lines of pixel edges that ascend and descend through a direction, counted from 0. Near the
/// equator they go around the sphere, and in a polar cap through one quarter of it.
struct EdgeLines {
    std::int64_t ascending, descending;

    EdgeLines(const Spherical& at, std::int64_t n) {
        const auto side = static_cast<double>(n);
        if (at.is_polar()) {
            const double within = at.turn - std::min(3.0, std::floor(at.turn));
            ascending = std::min(n - 1, whole(within * side * at.from_pole()));
            descending = std::min(n - 1, whole((1 - within) * side * at.from_pole()));
        } else {
            const double along = side * (0.5 + at.turn), up = side * at.z * 0.75;
            ascending = whole(along - up);
            descending = whole(along + up);
        }
    }
};

std::int64_t ring_pixel(const Spherical& at, std::int64_t n) {
    const EdgeLines lines(at, n);
    if (at.is_polar()) {
        const std::int64_t ring = lines.ascending + lines.descending + 1;  // from the nearest pole
        const std::int64_t place =
            std::min(whole(at.turn * static_cast<double>(ring)), 4 * ring - 1);
        return at.z > 0 ? 2 * ring * (ring - 1) + place
                        : 12 * n * n - 2 * ring * (ring + 1) + place;
    }
    const std::int64_t ring = n + 1 + lines.ascending - lines.descending;  // 1 at z = 2/3
    const std::int64_t shift = ring % 2 == 0 ? 1 : 0;
    const std::int64_t place = (lines.ascending + lines.descending - n + shift + 1) / 2 % (4 * n);
    return 2 * n * (n - 1) + (ring - 1) * 4 * n + place;
}

/// The bits of x at even places and those of y at odd ones.
std::int64_t interleaved(std::int64_t x, std::int64_t y) {
    std::int64_t both = 0;
    for (int bit = 0; bit < 20; ++bit)
        both |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
    return both;
}

std::int64_t nested_pixel(const Spherical& at, std::int64_t n) {
    const EdgeLines lines(at, n);
    std::int64_t face = 0, x = 0, y = 0;
    if (at.is_polar()) {
        const auto quarter = std::min<std::int64_t>(3, whole(at.turn));
        if (at.z > 0) {
            face = quarter;
            x = n - 1 - lines.descending;
            y = n - 1 - lines.ascending;
        } else {
            face = quarter + 8;
            x = lines.ascending;
            y = lines.descending;
        }
    } else {
        const std::int64_t up = lines.ascending / n, down = lines.descending / n;
        face = up == down ? up % 4 + 4 : up < down ? up : down + 8;
        x = lines.descending % n;
        y = n - 1 - lines.ascending % n;
    }
    return face * n * n + interleaved(x, y);
}

}  // namespace

std::int64_t Healpix::pixel_of(const Vec3& direction) const {
    const Spherical at(direction);
    return nested ? nested_pixel(at, nside) : ring_pixel(at, nside);
}

}  // namespace tessera::io
