// A table of pairs: what is done, what is to do, and where the results go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/stop_flag.hpp"
#include "docking/pairs/pair_ledger.hpp"
#include "docking/pairs/pair_manifest.hpp"
#include "docking/pairs/pair_output.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "docking/search/rotation_set.hpp"
#include "io/journal/partial_folder.hpp"
#include "mpi/communicator.hpp"

namespace tessera::docking {

/// What a user has asked for.
struct PairsRequest {
    std::string table;   ///< path of the table of pairs
    std::string folder;  ///< for the results
    bool force = false;  ///< replace results of earlier runs
};

/// The table of pairs, its rows that are not done, and the place of the results.
struct PairsJob {
    PairOutputs outputs;
    std::string summary_path;
    std::unique_ptr<PairSource> pairs;
    SummaryLines lines;
    PairWriter write;
    RotationSet rotations;
    std::vector<PairRow> rows;                ///< one for each of `pairs`, on rank 0
    std::vector<std::size_t> to_do;           ///< indices of `pairs` that share rotations
    std::vector<std::size_t> own_searches;    ///< the others that are to do (has_own_search())
    std::unique_ptr<PairManifest> manifest;   ///< on rank 0
    std::unique_ptr<io::PartialFolder> lock;  ///< allows one run at a time; on rank 0
    std::optional<std::string> no_device;     ///< why no device was left at the end; on rank 0

    /// Tiles of all pairs of `to_do`.
    std::int64_t tiles() const;
    /// The table of the ranks beside the summary: pairs.ranks.csv beside pairs.csv.
    std::string ranks_path() const;
};

/// The manifest of the folder for these pairs. Reads it, or begins one.
std::unique_ptr<PairManifest> open_manifest(const PairOutputs& outputs, const ManifestKind& kind,
                                            const PairSource& pairs,
                                            const char* file = PairManifest::of_dockings);
/// Throws Error if the summaries or the manifest would replace a file that is not from an earlier
/// run, or `sources`, which the run reads. `first_columns` is how a summary begins.
void check_summaries(const PairsJob& job, const char* first_columns, const char* manifest,
                     const std::vector<std::string>& sources);

/// Collective. Reads the table, finds the rows that are not done, and locks the folder. Throws
/// SharedError if ranks read different tables, or if the summaries would replace files that are not
/// from an earlier run.
PairsJob read_pairs_job(const mpi::Communicator& ranks, const DockInput& input,
                        const PairsRequest& request, const StopFlag& stop);

}  // namespace tessera::docking
