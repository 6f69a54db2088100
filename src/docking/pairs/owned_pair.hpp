// A pair at the rank that owns it: the results of its tiles, from all ranks.
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
#include "docking/search/sort_poses.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/tile_journal.hpp"
#include "mpi/communicator.hpp"

namespace tessera::docking {

/// Collects the results of a pair's tiles. A short pair needs no journal. The journal begins when
/// the tiles have taken ten seconds, or at once where an earlier run has left a journal
/// (docs/guide/resume.md). Errors of the journal, such as a full disk, are RunErrors. `settings`
/// and `alone` (a communicator with this rank alone) must outlive this object.
class OwnedPair {
  public:
    OwnedPair(const PairRunSettings& settings, DockPair pair, std::int64_t tiles,
              const mpi::Communicator& alone);

    /// Takes over the tiles that an earlier run has left. The pair cannot be whole before this
    /// call. Throws Error if the journal belongs to another input or is in use by another run.
    void begin(std::shared_ptr<const PreparedDocking> prepared);

    bool contains(TileId tile) const { return arrived_.contains(tile); }
    /// Adds the result of a tile, unless it has arrived before. Rank `source` has computed the tile
    /// in `seconds` from files with the hash `input_sha256`. Throws Error if other ranks have read
    /// files with a different hash.
    void absorb(TilePartial<kernels::PoseRecord> partial, double seconds, int source,
                const RankRecord& rank, const std::string& input_sha256);
    /// Records that a tile has failed on retry.rank and goes to another rank.
    void note_failed_tile(const RetryRecord& retry) { record_.retries.push_back(retry); }
    /// Records what became of a rank that has worked on the pair or was asked to.
    void note_fate(int source, const RankRecord& rank, const std::string& fate) {
        ranks_.try_emplace(source, rank).first->second.fate = fate;
    }
    void add_phases(const std::vector<PhaseRecord>& phases);

    /// Frees the preparation. For a pair that another rank will finish.
    void forget_preparation() { prepared_.reset(); }

    /// Whether all tiles have arrived and no rank is finishing the pair.
    bool is_whole() const {
        return !run_hash_.empty() && !given_ && std::ssize(arrived_) == tiles_;
    }
    /// Hands a whole pair to the rank that finishes it. The pair is not whole afterwards, so that
    /// no second rank finishes it. The tiles stay here until drop_tiles().
    SearchedPair give();
    /// Makes the pair whole again, because the rank that had it cannot finish it.
    void take_back() { given_ = false; }
    /// The journal, which also takes the tiles of the refinement. Null if the pair has none.
    TileFiles* journal() { return journal_.get(); }
    /// Frees the tiles. Returns the journal, which the caller removes when the result file is
    /// there. Null if the pair has no journal.
    std::shared_ptr<DiskJournal<kernels::PoseRecord>> drop_tiles();

    /// Whether a rank is finishing the pair or has finished it.
    bool is_given() const { return given_; }
    /// Writes the tiles to the disk when the run stops before the pair has its file.
    void keep();

  private:
    void require_same_input(const std::string& host, const std::string& input_sha256);
    void write_down(TilePartial<kernels::PoseRecord> partial);
    void open_journal();

    const PairRunSettings& settings_;
    DockPair pair_;
    std::int64_t tiles_;
    const mpi::Communicator& alone_;
    std::shared_ptr<const PreparedDocking> prepared_;
    std::string run_hash_;      ///< the run that the journal belongs to; empty before begin()
    std::string input_sha256_;  ///< hash of the files as the first rank has read them
    std::string input_host_;    ///< host of that rank
    bool given_ = false;
    BestRecords best_;
    std::set<TileId> arrived_;
    std::map<int, RankRecord> ranks_;
    double busy_seconds_ = 0;  ///< time that all ranks have spent on the pair's tiles
    io::RunRecord record_;
    std::unique_ptr<DiskJournal<kernels::PoseRecord>> journal_;
    std::vector<TilePartial<kernels::PoseRecord>> held_;  ///< tiles that wait for the journal
};

}  // namespace tessera::docking
