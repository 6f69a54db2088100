// The progress of a screening, for `tessera info`. The run leaves a note in the folder that locks
// its table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/journal/partial_folder.hpp"

namespace tessera::docking {

/// The name of the workload in the folder.
inline constexpr const char* screen_workload = "screen";

/// Writes the note at the start of a run. Called on the rank that holds the folder.
void note_screen(const io::PartialFolder& folder, std::int64_t pairs);

struct ScreenProgress {
    std::int64_t pairs = 0;
    std::int64_t done = 0, failed = 0;  ///< whole lines of the table
};

/// Reads the note in `folder`, RESULTS/screen.csv.partial, and counts the lines of the table beside
/// it. Nothing if there is no note. May be called while the run goes on.
std::optional<ScreenProgress> read_screen_progress(const std::string& folder);

}  // namespace tessera::docking
