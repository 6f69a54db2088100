// What a docking search correlates. These are plain host types without Kokkos.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/octahedral_group.hpp"
#include "core/vec3.hpp"

namespace tessera::kernels {

inline constexpr int max_terms = 4;             ///< repulsion, attraction, electrostatics, pair
inline constexpr int max_coefficient_sets = 8;  ///< as many as PIPER takes
inline constexpr int max_poses_per_rotation = 64;
/// Base rotations that are transformed together. This number is part of the arithmetic: neither
/// memory nor device may change it.
inline constexpr int bases_per_batch = 8;

/// One product of the energy: a receptor grid is correlated with weighted ligand atoms.
struct EnergyChannel {
    std::vector<float> receptor;  ///< [n^3], z fastest, receptor centre at voxel 0, periodic
    std::vector<float> ligand;    ///< [atoms]
    int term = 0;                 ///< the energy term that it adds to
};

/// Restricts translations by the heights of some of the ligand's points over a plane of the
/// receptor, such as the middle of a membrane.
struct HeightRule {
    Vec3 normal;               ///< unit; heights are counted along it from voxel 0
    std::vector<Vec3> points;  ///< relative to the ligand centre, A
    double low = 0, high = 0;  ///< Angstrom, may be infinite
    /// If it is set, all points must lie from `low` to `high`. Otherwise all must lie at or below
    /// `low`, or all at or above `high`.
    bool inside = false;
};

/// term_k(t) = sum over channels c of term k and atoms a of receptor_c(voxel(a) + t) * ligand_c(a);
/// score_s(t) = sum_k sets[s][k] term_k(t).
struct CorrelationProblem {
    int n = 0;           ///< grid points per axis, even
    double spacing = 1;  ///< Angstrom
    std::vector<EnergyChannel> channels;
    std::vector<Vec3> ligand;                         ///< [atoms] relative to the ligand centre, A
    std::vector<SignedPermutation> group;             ///< octahedral group, or the identity alone
    std::vector<std::array<double, max_terms>> sets;  ///< weights of the terms
    int poses_per_rotation = 4;
    double exclusion = 4;  ///< Angstrom: poses of one rotation and set lie at least this far apart
    /// If it is set, the search keeps only translations t with |(t - *plane_point) . axis| <= 1/2,
    /// in grid steps, where `axis` is the unit axis of the rotation. The group must then be the
    /// identity alone.
    std::optional<Vec3> plane_point;
    /// If it is set, the search keeps only translations that obey it. Translations by half of the
    /// grid's edge, where the partners do not touch, are then left out.
    std::optional<HeightRule> heights;
};

/// A pose that the search keeps, in the layout of the partials.
struct PoseRecord {
    float score;             ///< from the transform, single precision
    std::uint32_t rotation;  ///< base * group.size() + member
    std::uint32_t voxel;     ///< flat grid index of the translation, z fastest
    std::uint32_t set;
};

/// The total order of poses. Ties in score are broken by rotation, then by voxel.
inline bool better(const PoseRecord& a, const PoseRecord& b) {
    if (a.score != b.score) return a.score < b.score;
    if (a.rotation != b.rotation) return a.rotation < b.rotation;
    return a.voxel < b.voxel;
}

/// Translation in grid steps along each axis, wrapped to (-n/2, n/2].
inline std::array<int, 3> wrapped_translation(std::int64_t voxel, int n) {
    std::array<int, 3> t{static_cast<int>(voxel / (std::int64_t{n} * n)),
                         static_cast<int>(voxel / n % n), static_cast<int>(voxel % n)};
    for (int& component : t)
        if (component > n / 2) component -= n;
    return t;
}

}  // namespace tessera::kernels
