// A docked pose as files and users see it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// Unweighted energy terms, in the order of names and of every set's weights.
inline constexpr int term_count = 4;
inline constexpr std::array<const char*, term_count> term_names{"repulsion", "attraction",
                                                                "electrostatics", "pair"};

/// A ligand atom x of the input file goes to R(rotation)(x - ligand_center) + translation in the
/// receptor file's frame. score = sum_k weight[k] * terms[k], lower is better.
struct Pose {
    double score = 0;
    std::int64_t rotation = 0;  ///< index into the rotation set
    std::int64_t voxel = 0;     ///< flat grid index of the translation, breaks ties
    Vec3 translation;           ///< Angstrom
    std::array<double, term_count> terms{};
};

/// Named weights of the terms. E = w[0] repulsion + w[1] attraction + w[2] electrostatics + w[3] pair;
/// attraction is a positive count, so its weight is negative.
struct CoefficientSet {
    std::string name;
    std::array<double, term_count> weights{};
};

/// The poses kept for one coefficient set, ascending by (score, rotation, voxel).
struct PoseList {
    CoefficientSet set;
    std::vector<Pose> poses;
};

}  // namespace tessera::docking
