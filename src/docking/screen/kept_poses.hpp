// What a screening keeps of the poses of a pair.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "docking/model/pose.hpp"
#include "docking/result/dock_result.hpp"

namespace tessera::docking {

/// Poses that are kept of a pair, or all if it has fewer.
inline constexpr std::size_t poses_kept = 10;

struct KeptPose {
    double score = 0;
    std::int32_t rotation = 0;  ///< index into the rotation set
    std::int32_t cluster = 0;   ///< place among the clusters of the pair, from 1; 0: in none
    Vec3 translation;           ///< Angstrom
    std::array<double, term_count> terms{};
};

struct KeptPair {
    std::string receptor_sha256, ligand_sha256;  ///< of the two files
    Vec3 receptor_center, ligand_center;         ///< Angstrom
    std::vector<KeptPose> poses;                 ///< the best first
};

/// The best poses of the first list. The result must have its clusters.
KeptPair kept_pair(const DockResult& result);

/// As bytes for messages and for the manifest, and back. Throws Error if the bytes are not from
/// packed().
std::string packed(const KeptPair& pair);
KeptPair unpacked_pair(const std::string& bytes);

}  // namespace tessera::docking
