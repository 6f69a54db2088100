// The 24 rotations of the cube. They map a periodic cubic grid onto itself exactly, so one set of
// forward transforms serves 24 ligand rotations (docs/method/docking.md, "Octahedral orbits").
#pragma once

#include <array>
#include <cmath>

#include "core/vec3.hpp"

namespace tessera {

/// A rotation of the cube as a signed permutation: (g v)[i] = sign[i] * v[axis[i]].
struct SignedPermutation {
    std::array<int, 3> axis{0, 1, 2};
    std::array<int, 3> sign{1, 1, 1};

    std::array<int, 3> operator()(const std::array<int, 3>& v) const {
        return {sign[0] * v[axis[0]], sign[1] * v[axis[1]], sign[2] * v[axis[2]]};
    }

    SignedPermutation inverse() const {
        SignedPermutation inv;
        for (int i = 0; i < 3; ++i) {
            inv.axis[axis[i]] = i;
            inv.sign[axis[i]] = sign[i];
        }
        return inv;
    }

    Matrix3 matrix() const {
        Matrix3 m{};
        for (int i = 0; i < 3; ++i) m[i][axis[i]] = sign[i];
        return m;
    }

    Quaternion quaternion() const;
};

/// Unit quaternion of a rotation matrix (Shepperd's method: divide by the largest component).
inline Quaternion quaternion_of(const Matrix3& m) {
    const std::array<double, 4> squares{
        1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
        1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        if (squares[i] > squares[largest]) largest = i;
    const double s = 2 * std::sqrt(squares[largest]);
    const double wx = m[2][1] - m[1][2], wy = m[0][2] - m[2][0], wz = m[1][0] - m[0][1];
    const double xy = m[0][1] + m[1][0], xz = m[0][2] + m[2][0], yz = m[1][2] + m[2][1];
    switch (largest) {
        case 0: return {s / 4, wx / s, wy / s, wz / s};
        case 1: return {wx / s, s / 4, xy / s, xz / s};
        case 2: return {wy / s, xy / s, s / 4, yz / s};
        default: return {wz / s, xz / s, yz / s, s / 4};
    }
}

inline Quaternion SignedPermutation::quaternion() const { return quaternion_of(matrix()); }

/// All 24 rotations, the identity first, in lexicographic order of (axis, sign). The order defines
/// the numbering of rotations in the output (rotation = 24 * base + member) and must not change.
inline std::array<SignedPermutation, 24> octahedral_group() {
    constexpr std::array<std::array<int, 3>, 6> axes{
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    constexpr std::array<int, 6> parity{1, -1, -1, 1, 1, -1};
    std::array<SignedPermutation, 24> group;
    int n = 0;
    for (int p = 0; p < 6; ++p)
        for (int bits = 0; bits < 8; ++bits) {
            const std::array<int, 3> sign{bits & 4 ? -1 : 1, bits & 2 ? -1 : 1, bits & 1 ? -1 : 1};
            if (parity[p] * sign[0] * sign[1] * sign[2] == 1) group[n++] = {axes[p], sign};
        }
    return group;
}

}  // namespace tessera
