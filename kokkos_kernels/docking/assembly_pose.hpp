// The copies of a dihedral assembly, which follow from two of them.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "core/cross.hpp"
#include "kokkos_kernels/docking/ring_pose.hpp"

namespace tessera::kernels {

/// Two equal rings about one axis, and two-fold axes across it that turn one ring onto the other
/// (Dn). The receptor is a copy of the first ring.
struct Assembly {
    RigidPose next;      ///< the next copy of the receptor's ring
    RigidPose opposite;  ///< where one of the two-fold axes puts the receptor
};

/// The axes of an assembly. They meet in one point.
struct AssemblyAxes {
    Vec3 ring;      ///< unit; of the rings
    Vec3 two_fold;  ///< unit, across it; of Assembly::opposite
    Vec3 center;    ///< Angstrom, where they meet
};

/// The point of the ring's axis that is nearest to the receptor's centre. With the shift d of the
/// next copy it is the centre + (d + cot(180 degrees / n) u x d) / 2, which the next copy's motion
/// leaves in its place.
inline Vec3 nearest_on_axis(const RigidPose& next, const Ring& ring) {
    const Vec3 axis = axis_of(next.rotation), shift = next.translation - ring.center;
    const double half_turn = std::numbers::pi / ring.copies;
    const double cotangent = ring.copies == 2 ? 0 : std::cos(half_turn) / std::sin(half_turn);
    return ring.center + 0.5 * (shift + cotangent * cross(axis, shift));
}

/// The place that a rotation about a point gives the receptor's copy.
inline RigidPose turned_about(const Quaternion& rotation, Vec3 point, const Ring& ring) {
    return {rotation, point + rotation.matrix() * (ring.center - point)};
}

inline Assembly assembly_of(const AssemblyAxes& axes, const Ring& ring) {
    const Vec3 w = axes.two_fold;
    return {turned_about(ring_rotation(axes.ring, ring.copies), axes.center, ring),
            turned_about({0, w.x, w.y, w.z}, axes.center, ring)};
}

inline AssemblyAxes axes_of(const Assembly& assembly, const Ring& ring) {
    const Vec3 axis = axis_of(assembly.next.rotation);
    const Vec3 foot = nearest_on_axis(assembly.next, ring);
    const Vec3 on_two_fold = 0.5 * (ring.center + assembly.opposite.translation);
    return {axis, axis_of(assembly.opposite.rotation), foot + dot(on_two_fold - foot, axis) * axis};
}

/// The places of all copies beside the receptor: those of its ring, in order, then its opposite
/// copy and the copies that follow in the other ring. Without `opposite` those of the ring alone.
inline std::vector<RigidPose> further_copies(const RigidPose& next, const RigidPose* opposite,
                                             const Ring& ring) {
    std::vector<RigidPose> copies;
    for (int k = 1; k < ring.copies; ++k) copies.push_back(ring_copy(next, ring, k));
    if (!opposite) return copies;
    const Matrix3 turn = next.rotation.matrix();
    RigidPose copy = *opposite;
    for (int k = 0; k < ring.copies; ++k) {
        copies.push_back(copy);
        copy = {next.rotation * copy.rotation,
                turn * (copy.translation - ring.center) + next.translation};
    }
    return copies;
}

/// How many pairs an assembly has of each kind that a two-fold axis relates, for each pair of
/// neighbours within its rings.
inline double pairs_across(int copies) { return copies == 2 ? 1 : 0.5; }

struct CountedPose {
    RigidPose pose;
    double count = 1;
};

/// One pose for each kind of pair of copies. The energy of all pairs, divided by the number of
/// pairs of neighbours within rings, is the sum of count * energy(pose). Without `opposite` that
/// of a ring; without a ring the pose itself.
inline std::vector<CountedPose> counted_poses(const RigidPose& next, const RigidPose* opposite,
                                              const Ring& ring) {
    std::vector<CountedPose> poses{{next, 1}};
    for (int k = 2; 2 * k <= ring.copies; ++k)
        poses.push_back({ring_copy(next, ring, k), pairs_per_neighbor(k, ring.copies)});
    if (!opposite) return poses;
    const std::vector<RigidPose> copies = further_copies(next, opposite, ring);
    for (auto copy = copies.begin() + (ring.copies - 1); copy != copies.end(); ++copy)
        poses.push_back({*copy, pairs_across(ring.copies)});
    return poses;
}

}  // namespace tessera::kernels
