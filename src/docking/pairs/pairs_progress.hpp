// How far a run of many pairs is, for `tessera info`: a note in the folder that locks its table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "io/journal/partial_folder.hpp"

namespace tessera::docking {

/// What the folder says whose it is.
inline constexpr const char* pairs_workload = "dock --pairs";

/// At the start of a run, on the rank that holds the folder: which pairs are left to do.
void note_pairs(const io::PartialFolder& folder, const std::vector<docking::DockPair>& pairs,
                const std::vector<PairRow>& rows);

struct PairsProgress {
    std::int64_t pairs = 0;
    std::int64_t done = 0;  ///< their files are there
    std::optional<double>
        quiet_seconds;  ///< since the last pair's file was written, by this attempt
};

/// `folder`: RESULTS/pairs.csv.partial. Nothing where it holds no note. Safe while the run goes on.
std::optional<PairsProgress> read_pairs_progress(const std::string& folder);

}  // namespace tessera::docking
