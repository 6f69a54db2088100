// The file of a shard: the poses of some thousand pairs (docs/reference/hdf5.md, "/screen").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/model/pose.hpp"
#include "docking/screen/kept_poses.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

struct PoseShard {
    /// A protein of the pairs.
    struct Partner {
        std::string name, path;
        std::vector<std::string> chains;  ///< empty: all
        std::string sha256;               ///< of the file
    };
    struct Pair {
        std::int64_t number = 0;                ///< in the whole screening, from 0
        std::int64_t receptor = 0, ligand = 0;  ///< indices into the partners
        Vec3 receptor_center, ligand_center;    ///< Angstrom
        std::vector<KeptPose> poses;            ///< the best first; at least one
    };

    std::int64_t number = 0;
    std::string content_sha256;  ///< of what the manifest holds of the pairs
    CoefficientSet set;
    std::vector<Quaternion> rotations;  ///< all rotations of the search, unit, w >= 0
    std::vector<Partner> receptors, ligands;
    std::vector<Pair> pairs;  ///< by number

    std::string name(const Pair& pair) const;
};

/// Writes the group /screen under `root`.
void write_shard(io::h5::Group root, const PoseShard& shard);

/// Throws Error if parts of the file do not fit together.
PoseShard read_shard(const io::h5::Group& root);

/// The content_sha256 of a whole shard. Empty if there is no such file, or if it is another one.
std::string shard_content(const std::string& path);

}  // namespace tessera::docking
