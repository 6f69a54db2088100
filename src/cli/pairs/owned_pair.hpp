// A pair at the rank that owns it: what has arrived of its tiles, from whichever rank.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "cli/pairs/pair_run_settings.hpp"
#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "docking/dock_workload.hpp"
#include "docking/prepare.hpp"
#include "mpi/communicator.hpp"
#include "tile_journal.hpp"

namespace tessera::cli {

/// A pair whose tiles are all there.
struct SearchedPair {
    std::shared_ptr<const docking::PreparedDocking> prepared;
    docking::BestRecords best;
    io::RunRecord record;  ///< of the run and of this pair, so far
    std::shared_ptr<DiskJournal<kernels::PoseRecord>> journal;  ///< null: there is none
};

/// Seconds of work are not worth the disk's: a pair has a journal once its tiles have taken ten, or
/// where an earlier run has left one (docs/resume.md). Errors of the journal are RunErrors: of a full
/// disk, say. `settings`, `pair` and `alone` (this rank alone) must outlive it.
class OwnedPair {
  public:
    OwnedPair(const PairRunSettings& settings, const docking::DockPair& pair, std::int64_t tiles,
              const mpi::Communicator& alone);

    /// Goes on with what an earlier run has left of the pair; until then it cannot be whole. Throws
    /// Error where that is another input's or held by another run.
    void begin(std::shared_ptr<const docking::PreparedDocking> prepared);

    bool contains(TileId tile) const { return arrived_.contains(tile); }
    /// A tile that has arrived before is let go. `source`: the rank that computed it, in `seconds`.
    void absorb(TilePartial<kernels::PoseRecord> partial, double seconds, int source,
                const RankRecord& rank);
    /// A tile that failed, to be done by another rank than retry.rank.
    void note_failed_tile(const RetryRecord& retry) { record_.retries.push_back(retry); }
    void add_phases(const std::vector<PhaseRecord>& phases);

    bool is_whole() const { return prepared_ && std::ssize(arrived_) == tiles_; }
    /// Once, of a whole pair, which remembers its tiles only.
    SearchedPair take();

    /// At a stop: what has arrived is brought to the disk.
    void keep();

  private:
    void write_down(TilePartial<kernels::PoseRecord> partial);
    void open_journal();

    const PairRunSettings& settings_;
    const docking::DockPair& pair_;
    std::int64_t tiles_;
    const mpi::Communicator& alone_;
    std::shared_ptr<const docking::PreparedDocking> prepared_;
    docking::BestRecords best_;
    std::set<TileId> arrived_;
    std::map<int, RankRecord> ranks_;
    double busy_seconds_ = 0;  ///< of all ranks on its tiles
    io::RunRecord record_;
    std::unique_ptr<DiskJournal<kernels::PoseRecord>> journal_;
    std::vector<TilePartial<kernels::PoseRecord>> held_;  ///< until there is one
};

}  // namespace tessera::cli
