// RMSD between two placements of one rigid body, without touching its atoms.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Places poses of a set of points in a space of twelve dimensions where the distance of two poses is
/// the RMSD of the points: with the points' mean m and a factor S of their covariance S S^T,
/// mean |a(x) - b(x)|^2 = |a(m) - b(m)|^2 + |R_a S - R_b S|^2.
class RigidDistance {
  public:
    using Place = std::array<double, 12>;

    /// At least one point, Angstrom, relative to what poses turn about.
    explicit RigidDistance(const std::vector<Vec3>& points);

    Place operator()(const kernels::RigidPose& pose) const;

  private:
    Vec3 mean_;
    Matrix3 factor_{};  ///< S, lower triangular
};

/// Mean square distance of the points of two places, Angstrom^2.
inline double mean_square(const RigidDistance::Place& a, const RigidDistance::Place& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

}  // namespace tessera::docking
