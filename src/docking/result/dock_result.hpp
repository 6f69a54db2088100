// A docking run's answer, and its place in the output file (docs/reference/hdf5.md, "/docking").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "docking/evaluation/clustering.hpp"
#include "docking/evaluation/evaluation.hpp"
#include "docking/model/energy.hpp"
#include "docking/refinement/consensus.hpp"
#include "docking/search/rotation_set.hpp"
#include "io/hdf5/h5.hpp"

namespace tessera::docking {

/// Per coefficient set, all in the same order.
struct DockResult {
    DockingFrame frame;
    std::string receptor_sha256, ligand_sha256;  ///< of the files, so that an export finds the same
    std::vector<Quaternion> rotations;           ///< every rotation of the search, unit, w >= 0
    std::vector<PoseList> lists;
    std::vector<std::vector<Cluster>> clusters;
    std::vector<std::vector<PoseQuality>> quality;  ///< empty without a reference
    std::optional<Consensus> consensus;             ///< of the second stage
};

/// Datasets of a group of clusters: members of all of them one after another; cluster i owns the next
/// size[i] of them.
void write_clusters(io::h5::Group group, const std::vector<Cluster>& clusters);

/// Datasets of a group of evaluations, one value a pose.
void write_quality(io::h5::Group group, const std::vector<PoseQuality>& quality);

/// Writes the group /docking under `root`.
void write_dock_result(io::h5::Group root, const DockResult& result);

/// Reads it back (frame centres, hashes, rotations and poses in the order of the run, the consensus where
/// there is one; clusters and quality stay empty). Throws Error for a file whose parts do not fit together.
DockResult read_dock_result(const io::h5::Group& root);

/// Reads such a group of `count` evaluations back.
std::vector<PoseQuality> read_quality(const io::h5::Group& group, std::uint64_t count);

/// `count` unit quaternions. Throws Error for others.
std::vector<Quaternion> read_rotations(const io::h5::Group& group, const std::string& name,
                                       std::uint64_t count);

/// Throws Error unless the best score comes first.
void require_ascending(const io::h5::Group& group, const std::vector<double>& score);

}  // namespace tessera::docking
