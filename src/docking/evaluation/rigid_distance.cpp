#include "docking/evaluation/rigid_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kokkos_kernels/docking/assembly_pose.hpp"

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

AssemblyDistance::Place AssemblyDistance::operator()(const kernels::RigidPose& next,
                                                     const kernels::RigidPose& opposite) const {
    Place place;
    for (const kernels::RigidPose& copy : kernels::further_copies(next, &opposite, ring_))
        place.push_back(distance_(copy));
    return place;
}

namespace {

/// The sum over all copies if the ring of b is run through in one direction or the other, and its
/// other ring from copy `begin` on.
double sum_of_squares(const AssemblyDistance::Place& a, const AssemblyDistance::Place& b,
                      bool reversed, std::size_t begin) {
    const std::size_t n = (a.size() + 1) / 2;
    const auto of_b = [&](std::size_t k) { return reversed ? n - k : k; };
    double sum = 0;
    for (std::size_t k = 1; k < n; ++k) sum += mean_square(a[k - 1], b[of_b(k) - 1]);
    for (std::size_t k = 0; k < n; ++k)
        sum += mean_square(a[n - 1 + k], b[n - 1 + (of_b(k) + begin) % n]);
    return sum;
}

/// The same for D2, whose three further copies may be named in any order.
double least_of_orders(const AssemblyDistance::Place& a, const AssemblyDistance::Place& b) {
    constexpr std::array<std::array<int, 3>, 6> orders{
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    double least = HUGE_VAL;
    for (const auto& order : orders) {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += mean_square(a[k], b[order[k]]);
        least = std::min(least, sum);
    }
    return least;
}

}  // namespace

double mean_square(const AssemblyDistance::Place& a, const AssemblyDistance::Place& b) {
    double least = a.size() == 3 ? least_of_orders(a, b) : HUGE_VAL;
    if (a.size() > 3)
        for (std::size_t begin = 0; 2 * begin < a.size(); ++begin)
            for (const bool reversed : {false, true})
                least = std::min(least, sum_of_squares(a, b, reversed, begin));
    return least / static_cast<double>(a.size());
}

}  // namespace tessera::docking
