// From the poses of a pair to its line in the table of a screening.
#pragma once

#include "docking/pairs/pair_output.hpp"

namespace tessera::docking {

/// Clusters and scores the poses of a pair. What is kept of the pair is its line and its best
/// poses, which the manifest holds; the pair has no file of its own.
WrittenPair screened_pair(const DockPair& pair, const PreparedDocking& prepared, SortedPoses sorted,
                          io::RunRecord record);

}  // namespace tessera::docking
