#include "app/own_searches.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "app/one_docking.hpp"
#include "app/pairs_run.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "docking/run/search_run.hpp"
#include "engine/run_notes.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "mpi/mpi_error.hpp"

namespace tessera::app {

namespace {

using docking::PairFailure;
using docking::PairOutcome;

class OwnSearches {
  public:
    OwnSearches(const mpi::Communicator& world, docking::PairsJob& job, docking::PairLedger& ledger,
                const RunOptions& options, const io::RunRecord& record,
                const kernels::DeviceInfo& device, const StopFlag& stop)
        : world_(world),
          job_(job),
          ledger_(ledger),
          options_(options),
          record_(record),
          device_(device),
          stop_(stop) {}

    void run() {
        for (std::size_t i = 0; i < job_.own_searches.size(); ++i) {
            if (world_.allreduce_max(stop_.is_set() ? 1 : 0) > 0 || !run_row(i)) return;
        }
    }

  private:
    /// Collective. Returns false if the run cannot go on: it was stopped, or no device is left.
    bool run_row(std::size_t i) {
        const docking::DockPair pair = job_.pairs->pair(job_.own_searches[i]);
        engine::say(world_.is_root() && !options_.quiet,
                    fmt::format("pair {} (line {}) is docked by itself: {} of {}", pair.name,
                                pair.line, i + 1, job_.own_searches.size()));
        std::vector<PairOutcome> written;  // on the rank that wrote the file
        std::optional<PairFailure> failure;
        try {
            written = dock_row(static_cast<int>(i), pair);
        } catch (const mpi::SharedError& error) {
            if (error.code() == ExitCode::internal) throw;
            if (error.code() == ExitCode::requeue) return false;
            failure = {error.what(), error.code()};
        }
        if (failure && world_.allreduce_max(kernels::device_is_lost() ? 0 : 1) == 0) {
            if (world_.is_root()) job_.no_device = failure->reason;
            return false;
        }
        if (failure && world_.is_root())
            written.push_back({static_cast<int>(i), std::move(failure), {}});
        docking::gather_outcomes(world_, written,
                                 [&](const PairOutcome& outcome) { enter(outcome); });
        return true;
    }

    /// Collective. Throws SharedError on all ranks if the row fails.
    std::vector<PairOutcome> dock_row(int number, const docking::DockPair& pair) {
        io::RunRecord record = record_;
        const docking::PreparedDocking prepared =
            docking::prepare_on_all(world_, pair.input, record);
        std::vector<PairOutcome> written;
        dock_one(world_,
                 {pair.input, prepared, device_, options_, job_.outputs.path(pair), stop_, true},
                 record,
                 [&](docking::SortedPoses sorted, DiskJournal<kernels::PoseRecord>& journal,
                     io::RunRecord& run) {
                     written.push_back({number, std::nullopt,
                                        job_.write(pair, prepared, std::move(sorted), run)});
                     journal.remove();
                 });
        return written;
    }

    /// On rank 0.
    void enter(const PairOutcome& outcome) {
        const std::size_t row = job_.own_searches[static_cast<std::size_t>(outcome.pair)];
        ledger_.enter(row, outcome);
        if (outcome.failure)
            say_failed(!options_.quiet, job_.pairs->name(row), outcome.failure->reason);
    }

    const mpi::Communicator& world_;
    docking::PairsJob& job_;
    docking::PairLedger& ledger_;
    const RunOptions& options_;
    const io::RunRecord& record_;
    const kernels::DeviceInfo& device_;
    const StopFlag& stop_;
};

}  // namespace

void dock_own_searches(const mpi::Communicator& world, docking::PairsJob& job,
                       docking::PairLedger& ledger, const RunOptions& options,
                       const io::RunRecord& record, const kernels::DeviceInfo& device,
                       const StopFlag& stop) {
    OwnSearches(world, job, ledger, options, record, device, stop).run();
}

}  // namespace tessera::app
