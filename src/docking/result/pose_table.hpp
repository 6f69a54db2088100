// The poses of a result as a table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "docking/result/dock_result.hpp"
#include "io/hdf5/h5.hpp"
#include "io/text/value_table.hpp"

namespace tessera::docking {

/// A row for each pose, with at most `most` rows of each list. `sets` names the sets, separated by
/// commas, or is "consensus". If it is empty, the table has the consensus, or all sets if the
/// result has no consensus. Poses and clusters are counted from 1. Throws Error for an unknown name
/// and for a damaged file.
io::ValueTable pose_table(const io::h5::Group& root, const std::string& sets, std::int64_t most);

/// The same for the result of read_dock_result().
io::ValueTable pose_table(const io::h5::Group& root, std::shared_ptr<const DockResult> result,
                          const std::string& sets, std::int64_t most);

}  // namespace tessera::docking
