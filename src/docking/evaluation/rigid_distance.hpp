// The RMSD between two placements of a rigid body, without a loop over its atoms.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::docking {

/// Maps each pose of a set of points to a place in twelve dimensions. The distance between two
/// places is the RMSD between the poses. With the mean m of the points and a factor S of their
/// covariance S S^T, mean |a(x) - b(x)|^2 = |a(m) - b(m)|^2 + |R_a S - R_b S|^2.
class RigidDistance {
  public:
    using Place = std::array<double, 12>;

    /// `points`: at least one, in Angstrom, relative to the centre of rotation.
    explicit RigidDistance(const std::vector<Vec3>& points);

    Place operator()(const kernels::RigidPose& pose) const;

  private:
    Vec3 mean_;
    Matrix3 factor_{};  ///< S, lower triangular
};

/// The mean square distance between the points of two poses, Angstrom^2.
inline double mean_square(const RigidDistance::Place& a, const RigidDistance::Place& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/// The same for the two neighbours of a copy in a ring (kernels::Ring). Two rings that run in
/// opposite directions are compared with their neighbours exchanged, and the nearer way counts.
class RingDistance {
  public:
    struct Place {
        RigidDistance::Place next, previous;
    };

    RingDistance(const std::vector<Vec3>& points, const kernels::Ring& ring)
        : distance_(points), ring_(ring) {}

    Place operator()(const kernels::RigidPose& next) const;

  private:
    RigidDistance distance_;
    kernels::Ring ring_;
};

inline double mean_square(const RingDistance::Place& a, const RingDistance::Place& b) {
    const double along = mean_square(a.next, b.next) + mean_square(a.previous, b.previous);
    const double against = mean_square(a.next, b.previous) + mean_square(a.previous, b.next);
    return 0.5 * (along < against ? along : against);
}

/// The same for all copies beside the receptor in a dihedral assembly (kernels::Assembly). Two
/// assemblies may name their copies in different ways: their rings may run in opposite directions
/// and begin at other copies, and in D2 the three axes may be exchanged. The nearest way counts.
class AssemblyDistance {
  public:
    using Place = std::vector<RigidDistance::Place>;

    AssemblyDistance(const std::vector<Vec3>& points, const kernels::Ring& ring)
        : distance_(points), ring_(ring) {}

    Place operator()(const kernels::RigidPose& next, const kernels::RigidPose& opposite) const;

  private:
    RigidDistance distance_;
    kernels::Ring ring_;
};

double mean_square(const AssemblyDistance::Place& a, const AssemblyDistance::Place& b);

}  // namespace tessera::docking
