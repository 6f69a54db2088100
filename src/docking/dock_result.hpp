// A docking run's answer, and its place in the output file (docs/hdf5.md, "/docking").
#pragma once

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
    std::vector<Quaternion> rotations;  ///< every rotation of the search, unit, w >= 0
    std::vector<PoseList> lists;
    std::vector<std::vector<Cluster>> clusters;
    std::vector<std::vector<PoseQuality>> quality;  ///< empty without a reference
};

/// Writes the group /docking under `root`.
void write_dock_result(io::h5::Group root, const DockResult& result);

/// Reads it back (frame centres, rotations and poses; clusters and quality stay empty).
DockResult read_dock_result(const io::h5::Group& root);

}  // namespace tessera::docking
