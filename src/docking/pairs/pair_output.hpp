// The output file of a pair.
#pragma once

#include <string>
#include <vector>

#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_summary.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/setup/prepare.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::docking {

/// What all outputs of a run have in common.
struct PairOutputs {
    std::string folder;
    std::string table;     ///< path of the table of pairs
    std::string version;   ///< version of the program
    std::string revision;  ///< git revision of the program
    bool force = false;    ///< replace existing files
    SummaryFormat summary;

    /// FOLDER/NAME.h5
    std::string path(const DockPair& pair) const;
};

/// Clusters and evaluates the sorted lists and writes the pair's file, as `tessera dock` does. The
/// attributes pairs_table and pairs_row of /run name the row of the table, and pairs_config holds
/// the options of the run. The options in `record` become those of the pair. Returns the pair's row
/// of the summary. Works on the host alone. HDF5 allows one thread at a time.
std::string write_pair(const PairOutputs& outputs, const DockPair& pair,
                       const PreparedDocking& prepared, SortedPoses sorted, io::RunRecord record);

/// What the run finds at the path of a pair's output before it begins.
struct FormerOutput {
    enum class State { none, finished, unusable } state = State::none;
    std::string row;      ///< if finished: its row of the summary
    std::string problem;  ///< if unusable: why, in one line
};

/// An output is finished if it is the complete result of the same input by the same revision of the
/// program. Throws Error if an input file is missing or would be replaced.
FormerOutput look_at_output(const PairOutputs& outputs, const DockPair& pair);

}  // namespace tessera::docking
