// Tables of evaluated poses as HADDOCK3's module caprieval writes them (capri_ss.tsv and
// capri_clt.tsv), which many scripts can read.
#pragma once

#include <string>

#include "docking/result/chosen_list.hpp"

namespace tessera::docking {

/// A row for each pose, best first: score, RMSDs (Angstrom), fnat, DockQ, and its cluster. Columns
/// without a counterpart hold "-" (md5) or "nan" (ilrmsd). The list must have qualities.
std::string capri_poses(const ChosenList& list);

/// A row for each cluster, in the order of the mean score of its best poses: means and standard
/// deviations over the best four poses, or over all if it has fewer (under_eval is then "yes").
std::string capri_clusters(const ChosenList& list);

/// Whether a file is one of these tables.
bool is_capri_table(const std::string& path);

}  // namespace tessera::docking
