// The rows of a table of pairs and their states: at the start of a run, and in the summary at its
// end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "docking/pairs/pair_mail.hpp"
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

/// Collective. The rows that are left to do, by the `rows` of rank 0. The same on all ranks.
std::vector<std::size_t> unfinished_rows(const mpi::Communicator& world,
                                         const std::vector<PairRow>& rows);

/// As a message to rank 0, and back.
PairSettled settled_mail(PairOutcome outcome);
PairOutcome outcome_of(PairSettled mail);

/// Collective. Calls `enter` on rank 0 for each outcome of every rank.
void gather_outcomes(const mpi::Communicator& world, const std::vector<PairOutcome>& outcomes,
                     const std::function<void(const PairOutcome& outcome)>& enter);

/// The row of a pair in the summary.
std::string summary_line(const SummaryFormat& format, const std::string& name, const PairRow& row);

/// Throws Error if some pairs are not done, because a signal stopped the run or because they
/// failed.
void require_all_done(const PairSource& pairs, const std::vector<PairRow>& rows,
                      const std::string& summary_path);

}  // namespace tessera::docking
