// A pair at the rank that owns it: what has arrived of its tiles, from whichever rank.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "docking/pairs/pair_run_settings.hpp"
#include "docking/pairs/searched_pair.hpp"
#include "docking/search/dock_workload.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/tile_journal.hpp"
#include "mpi/communicator.hpp"

namespace tessera::docking {

/// Seconds of work are not worth the disk's: a pair has a journal once its tiles have taken ten, or
/// where an earlier run has left one (docs/guide/resume.md). Errors of the journal are RunErrors: of a full
/// disk, say. `settings`, `pair` and `alone` (this rank alone) must outlive it.
class OwnedPair {
  public:
    OwnedPair(const PairRunSettings& settings, const docking::DockPair& pair, std::int64_t tiles,
              const mpi::Communicator& alone);

    /// Goes on with what an earlier run has left of the pair; until then it cannot be whole. Throws
    /// Error where that is another input's or held by another run.
    void begin(std::shared_ptr<const docking::PreparedDocking> prepared);

    bool contains(TileId tile) const { return arrived_.contains(tile); }
    /// A tile that has arrived before is let go. `source`: the rank that computed it, in `seconds`, from
    /// files with that hash. Throws Error where other ranks have read files with another one.
    void absorb(TilePartial<kernels::PoseRecord> partial, double seconds, int source,
                const RankRecord& rank, const std::string& input_sha256);
    /// A tile that failed, to be done by another rank than retry.rank.
    void note_failed_tile(const RetryRecord& retry) { record_.retries.push_back(retry); }
    /// What became of a rank that has worked on the pair, or was to.
    void note_fate(int source, const RankRecord& rank, const std::string& fate) {
        ranks_.try_emplace(source, rank).first->second.fate = fate;
    }
    void add_phases(const std::vector<PhaseRecord>& phases);

    /// Where another rank is to finish the pair: what it was prepared with is not kept in memory.
    void forget_preparation() { prepared_.reset(); }

    /// All tiles are there, and no one is finishing the pair.
    bool is_whole() const {
        return !run_hash_.empty() && !given_ && std::ssize(arrived_) == tiles_;
    }
    /// Of a whole pair, which is then not whole any more, so that one rank finishes it; what has arrived stays
    /// here until drop_tiles().
    SearchedPair give();
    /// Who was to finish the pair cannot: it is whole again.
    void take_back() { given_ = false; }
    /// For the tiles of the refinement, too; null: the pair has none.
    TileFiles* journal() { return journal_.get(); }
    /// The tiles are needed no more. Returns the journal, to be removed when the file is there; null:
    /// there is none.
    std::shared_ptr<DiskJournal<kernels::PoseRecord>> drop_tiles();

    /// Someone is finishing the pair, or has.
    bool is_given() const { return given_; }
    /// At a stop, of a pair whose file is not there: what has arrived is brought to the disk.
    void keep();

  private:
    void require_same_input(const std::string& host, const std::string& input_sha256);
    void write_down(TilePartial<kernels::PoseRecord> partial);
    void open_journal();

    const PairRunSettings& settings_;
    const docking::DockPair& pair_;
    std::int64_t tiles_;
    const mpi::Communicator& alone_;
    std::shared_ptr<const docking::PreparedDocking> prepared_;
    std::string run_hash_;                   ///< of the journal; empty before begin()
    std::string input_sha256_, input_host_;  ///< of the files, as the first rank has read them
    bool given_ = false;
    docking::BestRecords best_;
    std::set<TileId> arrived_;
    std::map<int, RankRecord> ranks_;
    double busy_seconds_ = 0;  ///< of all ranks on its tiles
    io::RunRecord record_;
    std::unique_ptr<DiskJournal<kernels::PoseRecord>> journal_;
    std::vector<TilePartial<kernels::PoseRecord>> held_;  ///< until there is one
};

}  // namespace tessera::docking
