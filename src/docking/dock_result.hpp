// A docking run's answer, and its place in the output file (docs/hdf5.md, "/docking").
#pragma once

#include <string>
#include <vector>

#include "docking/clustering.hpp"
#include "docking/energy.hpp"
#include "docking/evaluation.hpp"
#include "docking/rotation_set.hpp"
#include "io/h5.hpp"

namespace tessera::docking {

/// Per coefficient set, all in the same order.
struct DockResult {
    DockingFrame frame;
    std::string receptor_sha256, ligand_sha256;  ///< of the files, so that an export finds the same
    std::vector<Quaternion> rotations;           ///< every rotation of the search, unit, w >= 0
    std::vector<PoseList> lists;
    std::vector<std::vector<Cluster>> clusters;
    std::vector<std::vector<PoseQuality>> quality;  ///< empty without a reference
};

/// Writes the group /docking under `root`.
void write_dock_result(io::h5::Group root, const DockResult& result);

/// Reads it back (frame centres, hashes, rotations and poses in the order of the run; clusters and quality
/// stay empty). Throws Error for a file whose parts do not fit together.
DockResult read_dock_result(const io::h5::Group& root);

}  // namespace tessera::docking
