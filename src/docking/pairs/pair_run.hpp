// Many dockings as one queue of tiles over all ranks.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "core/tile_fault.hpp"
#include "docking/pairs/owned_pair.hpp"
#include "docking/pairs/pair_finisher.hpp"
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_preparer.hpp"
#include "docking/pairs/pair_run_settings.hpp"
#include "docking/pairs/pair_search.hpp"
#include "docking/pairs/pair_tiles.hpp"
#include "docking/result/finish_result.hpp"
#include "mpi/mailbox.hpp"
#include "mpi/request_server.hpp"
#include "mpi/scheduling/tile_lists.hpp"

namespace tessera::docking {

/// The engine of tessera dock --pairs. A rank claims pair after pair (mpi::TileLists), prepares the next
/// while its device works on the present one, and finishes those it owns (PairFinisher). When all have
/// owners it helps with the tiles that are left. Partials go to the owner (OwnedPair) as messages; nobody
/// waits in a collective before the end. A tile that fails goes back to the owner, which asks a rank
/// that the tile has not failed on; ranks stay until all pairs are settled. A rank that has lost its device
/// keeps the pairs that it owns, whose tiles are then others' work, and has them finished by others.
class PairRun {
  public:
    /// Collective. `mine` says who this rank is.
    PairRun(const mpi::Communicator& world, const PairRunSettings& settings,
            const RankRecord& mine);

    /// Collective. What goes wrong with a pair ends that pair alone; a RunError, such as one of the disk
    /// while writing, and a bug are thrown and end the run.
    void run();

    /// Why this rank goes without its device, where no rank has one any more.
    std::optional<std::string> no_device_left();

    /// Of the pairs this rank owned; those that were not finished are missing.
    const std::vector<PairOutcome>& outcomes() const { return outcomes_; }

    /// After run(): what this rank has done, of all pairs. It is busy while its device has work: grids to take
    /// in, tiles, final terms, poses to refine.
    const RankRecord& share() const { return share_; }

  private:
    using Prepared = std::shared_ptr<const docking::PreparedDocking>;
    class Journal;  // of run_tiles: where this rank leaves its tiles

    // The loop of a rank (pair_run.cpp).
    std::optional<int> next_pair();
    void claim_following();
    void work_on(int pair);
    void search(int pair, const Prepared& prepared);
    void search(int pair, const Prepared& prepared, PairTiles& tiles);
    std::shared_ptr<kernels::CorrelationSearch> load(int pair, const Prepared& prepared,
                                                     const PairTiles& tiles);
    void finish_whole_pairs();
    void finish(int pair);
    void wait_for_writer();
    void close();
    void poll();
    void wait_until(const std::function<bool()>& condition);
    bool stopping();
    bool all_settled();

    // Tiles that fail (pair_run_handing_on.cpp).
    static constexpr std::int64_t finishing = -1;  ///< in the place of a tile
    /// Tiles of a pair that a rank cannot do: the first failed, the rest were drawn with it.
    struct Returned {
        int pair = 0, rank = 0;
        TileFault fault = TileFault::device_error;
        std::string detail;
        std::vector<std::int64_t> tiles;  ///< none: the rank was to finish the pair
        bool tried = true;                ///< the rank had a device when it took them
    };
    struct FailedOn {
        std::set<int> ranks;
        int not_finite = 0, devices = 0;
        Returned last;
    };
    void give_back(const Returned& returned);
    void hand_on(const Returned& returned);
    void note_failed(const Returned& returned, FailedOn& failed);
    void note_lost_finishing(const Returned& returned);
    PairFailure failure_of(const FailedOn& failed) const;
    void do_what_was_asked();

    // Ranks without a device (pair_run_left_out.cpp).
    static constexpr const char* lost_at_the_end = "device lost in the refinement";
    void note_device(int pair, TileFault fault, const std::string& detail);
    void leave_out(const std::string& why);
    void note_left_out(int rank, const std::string& why);
    std::optional<int> rank_with_device(int first, const std::set<int>& besides);
    void send_to_finish(int pair);
    void finish_for_owner(int pair, const Prepared& prepared, docking::PairMail searched);
    std::optional<docking::SortedPoses> finish_on_device(int pair, SearchedPair& searched,
                                                         TileFiles* journal);

    // What ranks tell each other (pair_run_messages.cpp).
    void deliver(int pair, const TilePartial<kernels::PoseRecord>& partial, double seconds,
                 const std::string& input_sha256);
    void receive(int source, std::span<const std::byte> message);
    void absorb(int pair, int source, TilePartial<kernels::PoseRecord> partial, double seconds,
                const std::string& input_sha256);
    void fail(int pair, const PairFailure& failure);
    void settle(PairOutcome outcome);
    void tell_written(PairOutcome outcome);
    void note_settled(int pair, const std::optional<PairFailure>& failure);
    void show_progress();
    /// Null where another rank owns the pair, or it is settled.
    OwnedPair* owned(int pair);

    const PairRunSettings settings_;
    const mpi::Communicator& world_;
    mpi::Communicator alone_;  ///< this rank, for what else is collective
    int rank_;
    std::vector<RankRecord> ranks_;
    std::vector<Tile> tiles_;  ///< of any pair: all have the same rotations
    mpi::TileLists lists_;
    mpi::Mailbox mail_;
    docking::PairSearch device_;
    std::map<int, OwnedPair> owned_;  ///< that are not settled
    std::vector<bool> settled_;       ///< [pair], of this rank's
    std::map<std::pair<int, std::int64_t>, FailedOn>
        failed_on_;  ///< [pair, tile or finishing], of this rank's pairs
    struct Asked {
        int pair = 0;
        std::vector<std::int64_t> tiles;
        std::optional<docking::PairMail> searched;  ///< to be finished, in the place of tiles
    };
    std::deque<Asked> asked_;       ///< by owners; for when this rank has no pair under preparation
    std::optional<int> claimed_;    ///< a pair of this rank's, under preparation
    std::optional<int> searching_;  ///< the pair at work
    std::optional<std::string> left_out_;     ///< why this rank has no device any more
    std::vector<docking::PairMail> at_last_;  ///< to be sent when the run is over
    std::vector<PairOutcome> outcomes_;
    PairsSoFar so_far_;              ///< on rank 0, of all ranks
    RankRecord share_;               ///< of this rank, in all pairs
    std::set<int> failed_in_a_row_;  ///< pairs, on this rank's device, without a tile done between
    double last_progress_ = 0, last_stop_look_ = 0, last_settled_look_ = 0;
    bool stopped_ = false, closing_ = false, all_settled_ = false;
    std::unique_ptr<mpi::RequestServer> server_;  ///< on rank 0, for other machines' ranks
    docking::PairPreparer preparer_;
    PairFinisher finisher_;
};

}  // namespace tessera::docking
