// The rows of a table of pairs and how each stands: at the start, and in the summary at the end.
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
    std::string summary;  ///< done: its row there
    PairFailure failure;  ///< failed
};

struct RowCounts {
    std::int64_t done = 0, failed = 0, unfinished = 0;
};
RowCounts count(const std::vector<PairRow>& rows);

/// Which pairs an earlier run has done, and which cannot be.
std::vector<PairRow> look_at_outputs(const docking::PairOutputs& outputs,
                                     const std::vector<docking::DockPair>& pairs);

/// Collective. Rows that are left to do, the same on all ranks; `rows` are rank 0's.
std::vector<std::size_t> unfinished_rows(const mpi::Communicator& world,
                                         const std::vector<PairRow>& rows);

/// Collective. Brings all ranks' outcomes into the rows on rank 0; pair i of an outcome is row to_do[i].
void gather_outcomes(const mpi::Communicator& world, const std::vector<PairOutcome>& outcomes,
                     const std::vector<std::size_t>& to_do, std::vector<PairRow>& rows);

void write_summary(const std::string& path, const docking::SummaryFormat& format,
                   const std::vector<docking::DockPair>& pairs, const std::vector<PairRow>& rows);

/// Throws Error where not all pairs are done: a signal stopped the run, or some failed.
void require_all_done(const std::vector<docking::DockPair>& pairs, const std::vector<PairRow>& rows,
                      const std::string& summary_path);

}  // namespace tessera::docking
