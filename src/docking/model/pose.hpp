// A docked pose as it is written to files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace tessera::docking {

/// The unweighted energy terms. Every set has its weights in the same order.
inline constexpr int term_count = 4;
inline constexpr std::array<const char*, term_count> term_names{"repulsion", "attraction",
                                                                "electrostatics", "pair"};

/// A pose moves a ligand atom x of the input file to R(rotation)(x - ligand_center) + translation
/// in the frame of the receptor's file. score = sum_k weight[k] * terms[k]; lower is better.
struct Pose {
    double score = 0;
    std::int64_t rotation = 0;  ///< index into the rotation set
    std::int64_t voxel = 0;     ///< flat grid index of the translation; breaks ties
    Vec3 translation;           ///< Angstrom
    std::array<double, term_count> terms{};
    std::int64_t satisfied = 0;  ///< number of distance restraints that it satisfies
    std::int64_t pair = 0;       ///< of conformers, in an ensemble (Ensemble::combination)
};

/// Named weights of the terms. E = w[0] repulsion + w[1] attraction + w[2] electrostatics + w[3]
/// pair. The attraction is a positive count, so its weight is negative.
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
