// The copies of a ring that follow from one of them.
#pragma once

#include <cmath>
#include <numbers>

#include "kokkos_kernels/docking/refine_problem.hpp"

namespace tessera::kernels {

/// The unit axis of a rotation by up to 180 degrees. Zero if it does not turn.
inline Vec3 axis_of(const Quaternion& q) {
    const Vec3 v{q.x, q.y, q.z};
    const double length = norm(v);
    return length > 0 ? (1 / length) * v : Vec3{};
}

/// The rotation by 360 degrees / `copies` about a unit axis. It has w >= 0.
inline Quaternion ring_rotation(Vec3 axis, int copies) {
    const double half = std::numbers::pi / copies, s = std::sin(half);
    return {copies == 2 ? 0.0 : std::cos(half), s * axis.x, s * axis.y, s * axis.z};
}

/// The nearest pose of the ligand that closes the ring: a turn by 360 degrees / copies about the
/// same axis, and a shift across it.
inline RigidPose closed(const RigidPose& pose, const Ring& ring) {
    const Vec3 axis = axis_of(pose.rotation), shift = pose.translation - ring.center;
    return {ring_rotation(axis, ring.copies), pose.translation - dot(shift, axis) * axis};
}

/// The place of copy k if the receptor is copy 0 and the ligand copy 1.
inline RigidPose ring_copy(const RigidPose& next, const Ring& ring, int k) {
    RigidPose copy{Quaternion{}, ring.center};
    const Matrix3 turn = next.rotation.matrix();
    for (int i = 0; i < k; ++i)
        copy = {next.rotation * copy.rotation,
                turn * (copy.translation - ring.center) + next.translation};
    return copy;
}

/// The pose that puts the receptor's other neighbour, the last copy, where the ligand was.
inline RigidPose previous_copy(const RigidPose& next, const Ring& ring) {
    const Quaternion back = next.rotation.conjugate();
    return {back, ring.center - back.matrix() * (next.translation - ring.center)};
}

/// How many pairs (copy i, copy i + k) a ring has for each pair of neighbours. The ring's energy,
/// divided by its pairs of neighbours, is the sum of pairs_per_neighbor(k) * energy(copy k) over
/// k = 1 to copies / 2.
inline double pairs_per_neighbor(int k, int copies) {
    return copies > 2 && 2 * k == copies ? 0.5 : 1;
}

}  // namespace tessera::kernels
