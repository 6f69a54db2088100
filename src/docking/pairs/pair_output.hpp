// What is written of a pair whose search has ended.
#pragma once

#include <string>
#include <vector>

#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_summary.hpp"
#include "docking/result/finish_result.hpp"
#include "docking/setup/prepare.hpp"
#include "io/hdf5/run_record.hpp"

namespace tessera::docking {

/// What the outputs of a run have in common.
struct PairOutputs {
    std::string folder;
    std::string table;     ///< path of the table of pairs
    std::string version;   ///< of the program
    std::string revision;  ///< of git
    bool force = false;    ///< replace what is there
    SummaryFormat summary;

    /// FOLDER/NAME.h5
    std::string path(const DockPair& pair) const;
};

/// Clusters and evaluates the sorted lists and writes the pair's file, as the single command does;
/// attributes pairs_table and pairs_row of /run say where it comes from. Returns the pair's
/// row of the summary. Host work alone, for one thread at a time (HDF5).
std::string write_pair(const PairOutputs& outputs, const DockPair& pair,
                       const PreparedDocking& prepared, SortedPoses sorted, io::RunRecord record);

/// What stands at a pair's output before the run.
struct FormerOutput {
    enum class State { none, finished, unusable } state = State::none;
    std::string row;      ///< finished: of the summary
    std::string problem;  ///< unusable: one line
};

/// Finished: the whole result of the same input by the same revision of the program. Throws Error where an input file is
/// missing or would be replaced.
FormerOutput look_at_output(const PairOutputs& outputs, const DockPair& pair);

}  // namespace tessera::docking
