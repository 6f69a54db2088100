#include "docking/evaluation/superposition.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::docking {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

struct Eigenpair {
    double value;
    std::array<double, 4> vector;
};

/// One Jacobi rotation, which zeroes m[p][q] of a symmetric matrix. v collects the eigenvectors.
void rotate_away(Matrix4& m, Matrix4& v, int p, int q) {
    if (m[p][q] == 0) return;
    const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
    const double c = 1 / std::sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 4; ++k) {
        const double mkp = m[k][p], mkq = m[k][q];
        m[k][p] = c * mkp - s * mkq;
        m[k][q] = s * mkp + c * mkq;
    }
    for (int k = 0; k < 4; ++k) {
        const double mpk = m[p][k], mqk = m[q][k];
        m[p][k] = c * mpk - s * mqk;
        m[q][k] = s * mpk + c * mqk;
        const double vkp = v[k][p], vkq = v[k][q];
        v[k][p] = c * vkp - s * vkq;
        v[k][q] = s * vkp + c * vkq;
    }
}

Eigenpair largest_eigenpair(Matrix4 m) {
    Matrix4 v{};
    double scale = 0;
    for (int i = 0; i < 4; ++i) {
        v[i][i] = 1;
        for (int j = 0; j < 4; ++j) scale = std::max(scale, std::abs(m[i][j]));
    }
    for (int sweep = 0; sweep < 30; ++sweep) {
        double rest = 0;
        for (int p = 0; p < 4; ++p)
            for (int q = p + 1; q < 4; ++q) rest = std::max(rest, std::abs(m[p][q]));
        if (rest <= 1e-16 * scale) break;
        for (int p = 0; p < 4; ++p)
            for (int q = p + 1; q < 4; ++q) rotate_away(m, v, p, q);
    }
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (m[i][i] > m[best][best]) best = i;
    return {m[best][best], {v[0][best], v[1][best], v[2][best], v[3][best]}};
}

Vec3 centroid(const std::vector<Vec3>& points) {
    Vec3 sum;
    for (const Vec3& p : points) sum = sum + p;
    return (1 / static_cast<double>(points.size())) * sum;
}

/// Horn's key matrix of centred points. The eigenvector of its largest eigenvalue is the optimal
/// quaternion.
struct Alignment {
    Vec3 moving_centroid, fixed_centroid;
    double squares = 0;  ///< sum of the squared distances of all points from their centroids
    Matrix4 key{};
};

Alignment align(const std::vector<Vec3>& moving, const std::vector<Vec3>& fixed) {
    Alignment a{centroid(moving), centroid(fixed)};
    Matrix3 s{};
    for (std::size_t i = 0; i < moving.size(); ++i) {
        const Vec3 m = moving[i] - a.moving_centroid, f = fixed[i] - a.fixed_centroid;
        a.squares += dot(m, m) + dot(f, f);
        s[0][0] += m.x * f.x, s[0][1] += m.x * f.y, s[0][2] += m.x * f.z;
        s[1][0] += m.y * f.x, s[1][1] += m.y * f.y, s[1][2] += m.y * f.z;
        s[2][0] += m.z * f.x, s[2][1] += m.z * f.y, s[2][2] += m.z * f.z;
    }
    const double yz = s[1][2] - s[2][1], zx = s[2][0] - s[0][2], xy = s[0][1] - s[1][0];
    a.key = {{{s[0][0] + s[1][1] + s[2][2], yz, zx, xy},
              {yz, s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
              {zx, s[0][1] + s[1][0], -s[0][0] + s[1][1] - s[2][2], s[1][2] + s[2][1]},
              {xy, s[2][0] + s[0][2], s[1][2] + s[2][1], -s[0][0] - s[1][1] + s[2][2]}}};
    return a;
}

}  // namespace

PairMoments moments_of(const PointPairs& pairs) {
    PairMoments sums;
    sums.count = static_cast<double>(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const Vec3 &m = pairs.model[i], &r = pairs.reference[i];
        sums.squares += dot(m, m) + dot(r, r);
        sums.model = sums.model + m;
        sums.reference = sums.reference + r;
        const std::array model{m.x, m.y, m.z}, reference{r.x, r.y, r.z};
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) sums.products[a][b] += reference[a] * model[b];
    }
    return sums;
}

double mean_square(const PairMoments& sums, const RigidMotion& motion) {
    double overlap = 0;  // sum of reference . (rotation model)
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) overlap += motion.rotation[a][b] * sums.products[a][b];
    const Vec3& shift = motion.shift;
    const double cross = dot(shift, motion.rotation * sums.model - sums.reference) - overlap;
    return (sums.squares + 2 * cross) / sums.count + dot(shift, shift);
}

RigidMotion superpose(const std::vector<Vec3>& moving, const std::vector<Vec3>& fixed) {
    const Alignment a = align(moving, fixed);
    const auto q = largest_eigenpair(a.key).vector;
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    RigidMotion motion;
    motion.rotation =
        Quaternion{q[0] / length, q[1] / length, q[2] / length, q[3] / length}.matrix();
    motion.shift = a.fixed_centroid - motion.rotation * a.moving_centroid;
    return motion;
}

double superposed_rmsd(const std::vector<Vec3>& moving, const std::vector<Vec3>& fixed) {
    const Alignment a = align(moving, fixed);
    const double residual = a.squares - 2 * largest_eigenpair(a.key).value;
    return std::sqrt(std::max(0.0, residual) / static_cast<double>(moving.size()));
}

}  // namespace tessera::docking
