// Runs many dockings as one queue of tiles over all ranks.
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
#include <variant>
#include <vector>

#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "core/tile_fault.hpp"
#include "docking/pairs/look_pause.hpp"
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

/// The engine of `tessera dock --pairs`. A rank claims one pair after another (mpi::TileLists). It
/// prepares the next pair while its device works on the present one, and it finishes the pairs that
/// it owns (PairFinisher). When all pairs have owners, it helps with the tiles that are left. The
/// results of tiles go to the owner (OwnedPair) as messages, and no rank waits in a collective
/// before the end. A tile that fails goes back to the owner. The owner asks a rank on which the
/// tile has not failed. Ranks stay until all pairs are settled. A rank that has lost its device
/// keeps the pairs that it owns, but other ranks compute and finish them.
class PairRun {
  public:
    /// Collective. `mine` describes this rank.
    PairRun(const mpi::Communicator& world, const PairRunSettings& settings,
            const RankRecord& mine);

    /// Collective. An error in a pair ends that pair alone. A RunError, such as a full disk, and an
    /// internal error are thrown and end the run.
    void run();

    /// Why this rank works without its device. Nothing while any rank has a device.
    std::optional<std::string> no_device_left();

    /// The outcomes of the pairs that this rank owns and that ended too late to be told to rank 0
    /// (PairRunSettings::ended).
    const std::vector<PairOutcome>& late_outcomes() const { return late_outcomes_; }

    /// After run(): what this rank has done in all pairs. Its busy time is the time in which its
    /// device loads grids, computes tiles and final terms, and refines poses.
    const RankRecord& share() const { return share_; }

  private:
    using Prepared = std::shared_ptr<const PreparedDocking>;
    class TileSender;  // sends the tiles that run_tiles has computed

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
    void look_at_run();

    // Tiles that fail (pair_run_handing_on.cpp).
    static constexpr std::int64_t finishing = -1;  ///< stands in failed_on_ for a tile
    /// Tiles of a pair that a rank cannot do. The first failed, and the others were taken with it.
    struct Returned {
        int pair = 0, rank = 0;
        TileFault fault = TileFault::device_error;
        std::string detail;
        std::vector<std::int64_t> tiles;  ///< empty if the rank was to finish the pair
        bool tried = true;                ///< whether the rank had a device when it took them
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
    void finish_for_owner(const Prepared& prepared, const FinishRequested& request);
    std::optional<SortedPoses> finish_on_device(int pair, SearchedPair& searched,
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
    using Ending = std::variant<PairFinished, PairFailed>;
    void tell(const Ending& ending);
    void send(int rank, const PairMail& mail) { mail_.send(rank, packed(mail)); }
    void note_settled(const PairOutcome& outcome);
    void show_progress();
    /// Null if another rank owns the pair or if the pair is settled.
    OwnedPair* owned(int pair);

    const PairRunSettings settings_;
    const mpi::Communicator& world_;
    mpi::Communicator alone_;  ///< this rank alone, for functions that are collective elsewhere
    int rank_;
    std::vector<RankRecord> ranks_;
    std::vector<Tile> tiles_;  ///< of every pair, because all have the same rotations
    mpi::TileLists lists_;
    mpi::Mailbox mail_;
    PairSearch device_;
    std::map<int, OwnedPair> owned_;  ///< this rank's pairs that are not settled
    std::vector<bool> settled_;       ///< [pair], for this rank's pairs
    /// [pair, tile or finishing], for this rank's pairs.
    std::map<std::pair<int, std::int64_t>, FailedOn> failed_on_;
    using Asked = std::variant<TilesRequested, FinishRequested>;
    std::deque<Asked> asked_;     ///< by owners; waits until this rank prepares no pair of its own
    std::optional<int> claimed_;  ///< this rank's pair that is being prepared
    std::optional<int> searching_;         ///< the present pair
    std::optional<std::string> left_out_;  ///< why this rank has no device any more
    std::vector<Ending> at_last_;          ///< sent when the run is over
    std::vector<PairOutcome> late_outcomes_;
    PairsSoFar so_far_;              ///< over all ranks; on rank 0
    RankRecord share_;               ///< what this rank has done in all pairs
    std::set<int> failed_in_a_row_;  ///< pairs that failed on this device since its last good tile
    double last_progress_ = 0;
    LookPause look_pause_;
    bool stopped_ = false, closing_ = false, all_settled_ = false;
    std::unique_ptr<mpi::RequestServer> server_;  ///< on rank 0, for ranks on other machines
    PairPreparer preparer_;
    PairFinisher finisher_;
};

}  // namespace tessera::docking
