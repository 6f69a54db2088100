// An objective whose evaluations are spread over the ranks of a communicator.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

#include "core/tile.hpp"
#include "engine/run_tiles.hpp"
#include "likelihood/fit/fair_shares.hpp"
#include "likelihood/fit/objective.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// Thrown on rank 0 where a signal asked some rank to stop.
struct Stopped {};

/// Rank 0 asks, all ranks answer: each batch is shared out by how fast the ranks were before, and
/// cut into tiles; the answers come back in the order of the points. As an answer depends on its
/// point alone, so do the bits of the whole, and the course of a fit is decided on one rank. A tile
/// that fails on a rank goes to another one; a rank whose device is lost gets no more. The others
/// serve() until rank 0 finish()es.
class SharedObjective : public Objective {
  public:
    /// `mine` answers on this rank; what it holds on the device must outlive a loss of it
    /// (kept_if_lost). All must outlive this.
    SharedObjective(const mpi::Communicator& world, Objective& mine, const std::atomic<bool>& stop)
        : world_(world), mine_(mine), stop_(stop) {}

    /// On rank 0. Throws Stopped, or SharedError (on all ranks) for the failure of one and for a
    /// tile that no rank can do.
    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;
    /// On rank 0, once, however the fit ends: lets the others return.
    void finish();

    /// On the other ranks.
    void serve();

    /// What this rank did. Tiles are numbered through all batches; the partials are those that
    /// others had handed on, without their records.
    const TileRun<double>& run() const { return run_; }
    std::int64_t tiles_total() const { return tiles_total_; }  ///< by all ranks

  private:
    enum class Task : std::int64_t { end, values, slopes };
    using Partials = std::vector<TilePartial<double>>;

    struct Batch {
        Task task = Task::end;
        std::span<const Point> points;
        std::int64_t first_tile = 0;  ///< among the tiles of all batches
    };
    struct SharedTile {
        Tile tile;  ///< its id counts within the batch
        int rank = 0;
        bool handed_on = false;  ///< another rank has failed on it
    };
    /// A tile that a rank could not do.
    struct Failed {
        SharedTile tile;
        bool tried = false;  ///< else the rank gave up before
        TileFault fault = TileFault::device_error;
        FixedString<192> detail;
    };
    /// How a rank fared with its tiles.
    struct Report {
        std::int64_t points = 0, failed = 0;
        double seconds = 0;
        bool stopped = false, leaves = false;
    };

    std::vector<double> answers(Task task, std::span<const Point> points);
    /// Collective: one batch. The tiles' answers on rank 0.
    Partials work(const Batch& batch);
    /// Collective: all tiles of `shared` by their ranks, adding to `mine`; those that failed, on
    /// rank 0. Returns whether any did.
    bool work_once(const Batch& batch, const std::vector<SharedTile>& shared, Partials& mine,
                   std::vector<Failed>& failed);
    /// This rank's of them.
    Report answer_tiles(const Batch& batch, const std::vector<SharedTile>& shared, Partials& mine,
                        std::vector<Failed>& failed);
    static Tile numbered(const Batch& batch, const Tile& tile);
    TilePartial<double> answer(const Batch& batch, const Tile& tile);
    FairShares& shares(Task task) { return task == Task::values ? value_shares_ : slope_shares_; }
    std::vector<SharedTile> share_out(const Batch& batch);
    /// Other ranks for the tiles that failed. Throws Error where there is none for one.
    std::vector<SharedTile> hand_on(const Batch& batch, const std::vector<Failed>& failed);

    const mpi::Communicator& world_;
    Objective& mine_;
    const std::atomic<bool>& stop_;
    bool over_ = false;
    std::int64_t tiles_total_ = 0;
    TileRun<double> run_;
    int failures_in_a_row_ = 0;

    // Of rank 0.
    FairShares value_shares_{world_.size()}, slope_shares_{world_.size()};
    std::map<TileId, std::vector<Failed>> failures_;  ///< of the batch in hand
};

}  // namespace tessera::likelihood
