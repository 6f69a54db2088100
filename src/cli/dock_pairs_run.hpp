// Many dockings as one queue of tiles over all ranks.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/background_worker.hpp"
#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "docking/pairs/pair_list.hpp"
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_output.hpp"
#include "docking/pairs/pair_preparer.hpp"
#include "docking/pairs/pair_search.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "mpi/mailbox.hpp"
#include "mpi/request_server.hpp"
#include "mpi/tile_lists.hpp"
#include "tile_journal.hpp"

namespace tessera::cli {

/// How a pair ended, at its owner.
struct PairOutcome {
    int pair = 0;
    bool failed = false;
    std::string reason;               ///< failed: one line
    ExitCode code = ExitCode::usage;  ///< failed
    std::string row;                  ///< not failed: of the summary
};

/// What a run is told; references must outlive it.
struct PairRunSettings {
    const std::vector<const docking::DockPair*>& pairs;  ///< to be done
    const docking::RotationSet& rotations;
    const docking::PairOutputs& outputs;
    const io::RunRecord& record;  ///< command line and build
    const kernels::DeviceInfo& device;
    std::int64_t memory_budget = 0;
    const std::atomic<bool>& stop;
    /// On rank 0, now and then: tiles handed out and pairs settled so far.
    std::function<void(std::int64_t tiles, std::int64_t pairs)> progress;
    /// On rank 0, for each pair that fails.
    std::function<void(const docking::DockPair& pair, const std::string& reason)> failure;
};

/// The engine of tessera dock --pairs. A rank claims pair after pair (mpi::TileLists), prepares the next while its device works on the
/// present one, and finishes those it owns in the background: rank, cluster, evaluate, write. When all
/// have owners it helps with the tiles that are left. Partials go to the owner as messages; nobody waits
/// in a collective before the end. The owner keeps a journal of a pair once its tiles have taken ten
/// seconds, and goes on with one that an earlier run has left (docs/resume.md).
class PairRun {
  public:
    /// Collective. `mine` says who this rank is.
    PairRun(const mpi::Communicator& world, const PairRunSettings& settings,
            const RankRecord& mine);

    /// Collective. A pair's Error ends that pair alone; an error of another kind, and one of the
    /// disk while writing, is thrown and ends the run.
    void run();

    /// Of the pairs this rank owned; those that were not finished are missing.
    const std::vector<PairOutcome>& outcomes() const { return outcomes_; }
    bool stopped() const { return stopped_; }
    std::int64_t tiles_done() const { return tiles_done_; }
    double busy_seconds() const { return busy_seconds_; }

  private:
    using Prepared = std::shared_ptr<const docking::PreparedDocking>;
    class Tiles;    // the loop's source of tiles
    class Journal;  // and where it leaves them

    /// A pair that this rank owns and has not settled.
    struct Owned {
        explicit Owned(const docking::DockInput& input)
            : best(input.sets.size(), input.ranked_poses()) {}
        docking::BestRecords best;
        std::set<TileId> tiles;  ///< that have arrived
        std::map<int, RankRecord> ranks;
        double busy_seconds = 0;  ///< of all ranks on its tiles
        Prepared prepared;
        io::RunRecord record;
        std::unique_ptr<DiskJournal<kernels::PoseRecord>> journal;  ///< of a pair that takes long
        std::vector<TilePartial<kernels::PoseRecord>> held;         ///< until there is one
    };
    struct Writing {
        int pair = 0;
        std::future<std::string> row;
    };

    void claim_next();
    void work_on(int pair);
    Prepared take_prepared(int pair);
    void search(int pair, const Prepared& prepared);
    bool has_arrived(int pair, TileId tile);
    void deliver(int pair, const TilePartial<kernels::PoseRecord>& partial, double seconds);
    void absorb(int pair, int source, TilePartial<kernels::PoseRecord> partial, double seconds);
    void resume(int pair);
    void keep(int pair, Owned& owned, TilePartial<kernels::PoseRecord> partial);
    void open_journal(int pair, Owned& owned);
    void keep_unfinished();
    void finish_whole_pairs();
    void finish(int pair, Owned& owned);
    void write_in_background(int pair, Owned& owned, docking::RankedPoses ranked);
    void fail(int pair, const std::string& reason, ExitCode code);
    void settle(PairOutcome outcome);
    void note_settled(const PairOutcome& outcome);
    void poll();
    void receive(int source, std::span<const std::byte> message);
    void collect_written();
    void wait_until(const std::function<bool()>& condition);
    bool stopping();
    bool owns(int pair) const { return lists_.owner(pair) == rank_; }
    /// Null where another rank owns the pair, or it is settled.
    Owned* owned(int pair);
    const docking::DockPair& pair_at(int pair) const {
        return *settings_.pairs[static_cast<std::size_t>(pair)];
    }

    const PairRunSettings settings_;
    const mpi::Communicator& world_;
    mpi::Communicator alone_;  ///< this rank, for what else is collective
    int rank_;
    std::vector<RankRecord> ranks_;
    std::vector<Tile> tiles_;  ///< of any pair: all have the same rotations
    mpi::TileLists lists_;
    mpi::Mailbox mail_;
    docking::PairSearch device_;
    std::map<int, Owned> owned_;
    std::vector<bool> settled_;  ///< [pair], of this rank's
    std::optional<int> next_;
    std::vector<PairOutcome> outcomes_;
    std::int64_t pairs_settled_ = 0;  ///< on rank 0, of all ranks
    std::int64_t tiles_done_ = 0;
    double busy_seconds_ = 0;
    double last_progress_ = 0, last_stop_look_ = 0;
    bool stopped_ = false, closing_ = false;
    std::unique_ptr<mpi::RequestServer> server_;  ///< on rank 0, for other machines' ranks
    std::deque<Writing> writing_;
    docking::PairPreparer preparer_;
    BackgroundWorker writer_;
};

}  // namespace tessera::cli
