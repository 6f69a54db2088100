// The rows of a table of pairs and their states: at the start of a run, and in the summary at its
// end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_output.hpp"
#include "docking/pairs/pair_run_settings.hpp"
#include "mpi/communicator.hpp"

namespace tessera::docking {

/// A row of the table.
struct PairRow {
    enum class Status : std::uint8_t { unfinished, done, failed };
    Status status = Status::unfinished;
    std::string summary;  ///< if done: its row of the summary
    PairFailure failure;  ///< if failed: why
};

struct RowCounts {
    std::int64_t done = 0, failed = 0, unfinished = 0;
};
RowCounts count(const std::vector<PairRow>& rows);

/// Finds out which pairs an earlier run has done and which pairs cannot be done.
std::vector<PairRow> look_at_outputs(const PairOutputs& outputs,
                                     const std::vector<DockPair>& pairs);

/// Collective. The rows that are left to do, by the `rows` of rank 0. The same on all ranks.
std::vector<std::size_t> unfinished_rows(const mpi::Communicator& world,
                                         const std::vector<PairRow>& rows);

/// Collective. Enters the outcomes of all ranks into the rows of rank 0. Pair i of an outcome is
/// row to_do[i].
void gather_outcomes(const mpi::Communicator& world, const std::vector<PairOutcome>& outcomes,
                     const std::vector<std::size_t>& to_do, std::vector<PairRow>& rows);

void write_summary(const std::string& path, const SummaryFormat& format,
                   const std::vector<DockPair>& pairs, const std::vector<PairRow>& rows);

/// Throws Error if some pairs are not done, because a signal stopped the run or because they
/// failed.
void require_all_done(const std::vector<DockPair>& pairs, const std::vector<PairRow>& rows,
                      const std::string& summary_path);

}  // namespace tessera::docking
