// What a docking search correlates. Plain host types: no Kokkos here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/octahedral_group.hpp"
#include "core/vec3.hpp"

namespace tessera::kernels {

inline constexpr int max_terms = 4;             ///< repulsion, attraction, electrostatics, pair
inline constexpr int max_coefficient_sets = 8;  ///< as many as PIPER takes
inline constexpr int max_poses_per_rotation = 64;
/// Base rotations transformed together. Part of the arithmetic: never changed by memory or device.
inline constexpr int bases_per_batch = 8;

/// One product of the energy: a receptor grid correlated with ligand atoms of given weights.
struct EnergyChannel {
    std::vector<float> receptor;  ///< [n^3], z fastest, receptor centre at voxel 0, periodic
    std::vector<float> ligand;    ///< [atoms]
    int term = 0;                 ///< which energy term it adds to
};

/// term_k(t) = sum over channels c of term k, over atoms a: receptor_c(voxel(a) + t) * ligand_c(a), and
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
};

/// A kept pose, as partials carry it.
struct PoseRecord {
    float score;             ///< from the transform, single precision
    std::uint32_t rotation;  ///< base * group.size() + member
    std::uint32_t voxel;     ///< flat grid index of the translation, z fastest
    std::uint32_t set;
};

/// The total order of poses: ties in score are broken by rotation, then voxel.
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
