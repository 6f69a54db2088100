// Points, rotations and their algebra. Right-handed; quaternions are (w, x, y, z).
#pragma once

#include <array>
#include <cmath>

namespace tessera {

struct Vec3 {
    double x = 0, y = 0, z = 0;

    friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
};

inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double norm(Vec3 a) { return std::sqrt(dot(a, a)); }
inline double distance_squared(Vec3 a, Vec3 b) { return dot(a - b, a - b); }

/// Row-major 3x3 matrix.
using Matrix3 = std::array<std::array<double, 3>, 3>;

inline Vec3 operator*(const Matrix3& m, Vec3 v) {
    return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z,
            m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
            m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

/// Unit quaternion; rotates a column vector v to q v q*.
struct Quaternion {
    double w = 1, x = 0, y = 0, z = 0;

    /// Composition: (a * b) rotates by b first, then by a.
    friend Quaternion operator*(Quaternion a, Quaternion b) {
        return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
    }

    Quaternion conjugate() const { return {w, -x, -y, -z}; }
    double length() const { return std::sqrt(w * w + x * x + y * y + z * z); }

    Matrix3 matrix() const {
        return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                 {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                 {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
    }
};

}  // namespace tessera
