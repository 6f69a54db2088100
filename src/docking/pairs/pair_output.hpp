// The output file of a pair.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_manifest.hpp"
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
    /// Which results of earlier runs can stand for those of this one.
    ManifestKind kind() const { return {version + " " + revision, summary.header()}; }
};

/// Clusters and evaluates the sorted lists and writes the pair's file, as `tessera dock` does. The
/// attributes pairs_table and pairs_row of /run name the row of the table, and pairs_config holds
/// the options of the run. The options in `record` become those of the pair. Works on the host
/// alone. HDF5 allows one thread at a time.
WrittenPair write_pair(const PairOutputs& outputs, const DockPair& pair,
                       const PreparedDocking& prepared, SortedPoses sorted, io::RunRecord record);

/// Keeps what a run has found for a pair, and says what the summary holds of it. Called on the rank
/// that has finished the pair, by a background thread.
using PairWriter = std::function<WrittenPair(const DockPair& pair, const PreparedDocking& prepared,
                                             SortedPoses sorted, io::RunRecord record)>;

/// Opens the pair's file. Returns the pair's row of the summary if the file is the complete result
/// of this input by the same revision of the program, otherwise nothing. Throws Error if the file
/// is damaged.
std::optional<std::string> finished_row(const PairOutputs& outputs, const DockPair& pair,
                                        const std::string& input_sha256);

}  // namespace tessera::docking
