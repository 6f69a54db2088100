#include "docking/evaluation/rigid_distance.hpp"

#include <cmath>

#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::docking {

namespace {

Matrix3 product(const Matrix3& a, const Matrix3& b) {
    Matrix3 m{};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) m[i][j] += a[i][k] * b[k][j];
    return m;
}

}  // namespace

RigidDistance::RigidDistance(const std::vector<Vec3>& points) {
    const double share = 1 / static_cast<double>(points.size());
    for (const Vec3& p : points) mean_ = mean_ + share * p;
    // Any factor F with F F^T = covariance gives the same distances; Cholesky's is the simplest.
    Matrix3 covariance{};
    for (const Vec3& p : points) {
        const Vec3 d = p - mean_;
        const double x[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) covariance[i][j] += share * x[i] * x[j];
    }
    for (int j = 0; j < 3; ++j)
        for (int i = j; i < 3; ++i) {
            double rest = covariance[i][j];
            for (int k = 0; k < j; ++k) rest -= factor_[i][k] * factor_[j][k];
            if (i == j)
                factor_[j][j] = rest > 0 ? std::sqrt(rest) : 0;
            else
                factor_[i][j] = factor_[j][j] > 0 ? rest / factor_[j][j] : 0;
        }
}

RigidDistance::Place RigidDistance::operator()(const kernels::RigidPose& pose) const {
    const Matrix3 rotation = pose.rotation.matrix();
    const Matrix3 turned = product(rotation, factor_);
    const Vec3 center = rotation * mean_ + pose.translation;
    return {turned[0][0], turned[0][1], turned[0][2], turned[1][0], turned[1][1], turned[1][2],
            turned[2][0], turned[2][1], turned[2][2], center.x,     center.y,     center.z};
}

RingDistance::Place RingDistance::operator()(const kernels::RigidPose& next) const {
    return {distance_(next), distance_(kernels::previous_copy(next, ring_))};
}

}  // namespace tessera::docking
