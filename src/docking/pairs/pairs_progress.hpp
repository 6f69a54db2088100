// The progress of a run over many pairs, for `tessera info`. The run leaves a note in the folder
// that locks its table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "docking/pairs/pair_rows.hpp"
#include "io/journal/partial_folder.hpp"

namespace tessera::docking {

/// The name of the workload in the folder.
inline constexpr const char* pairs_workload = "dock --pairs";

/// Writes the note at the start of a run: which pairs are left to do. Called on the rank that holds
/// the folder.
void note_pairs(const io::PartialFolder& folder, const PairSource& pairs,
                const std::vector<PairRow>& rows);

struct PairsProgress {
    std::int64_t pairs = 0;
    std::int64_t done = 0;                ///< pairs whose files are there
    std::optional<double> quiet_seconds;  ///< time since this run wrote the last file of a pair
};

/// Reads the note in `folder`, RESULTS/pairs.csv.partial. Nothing if there is no note. May be
/// called while the run goes on.
std::optional<PairsProgress> read_pairs_progress(const std::string& folder);

}  // namespace tessera::docking
