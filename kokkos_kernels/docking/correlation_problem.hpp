// What a docking search correlates. Plain host types: no Kokkos here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/octahedral_group.hpp"
#include "core/vec3.hpp"

namespace tessera::kernels {

inline constexpr int max_terms = 4;              ///< repulsion, attraction, electrostatics, pair
inline constexpr int max_coefficient_sets = 8;   ///< as many as PIPER takes
inline constexpr int max_poses_per_rotation = 64;
/// Base rotations transformed together. Part of the arithmetic: never changed by memory or device.
inline constexpr int bases_per_batch = 8;

/// One receptor grid and what it is multiplied with.
struct ReceptorChannel {
    std::vector<float> grid;  ///< [n^3], z fastest, receptor centre at voxel 0, periodic
    int ligand_weight = 0;    ///< which row of ligand_weights this channel correlates with
    int term = 0;             ///< which energy term it adds to
};

/// score(t) = sum_set-weighted terms of sum_atoms receptor[c](voxel(atom) + t) * weight[c](atom).
/// Channels come in the order repulsion, attraction, electrostatics, pair eigen-terms; repulsion and
/// attraction share ligand weight 0, every other channel has its own (1, 2, ...).
struct CorrelationProblem {
    int n = 0;             ///< grid points per axis, even
    double spacing = 1;    ///< Angstrom
    std::vector<ReceptorChannel> channels;
    std::vector<Vec3> ligand;                         ///< [atoms] relative to the ligand centre, A
    std::vector<std::vector<float>> ligand_weights;   ///< [ligand grid][atom]
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
