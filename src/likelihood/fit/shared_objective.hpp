// An objective whose evaluations are spread over the ranks of a communicator.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/tile.hpp"
#include "engine/run_tiles.hpp"
#include "likelihood/fit/bootstrap.hpp"
#include "likelihood/fit/fair_shares.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/point_exchange.hpp"
#include "likelihood/fit/verified_objective.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// Thrown on rank 0 if a signal asked any rank to stop.
struct Stopped {};

/// Rank 0 asks, and all ranks answer. Each batch is split by the speed of the ranks in earlier
/// batches, and cut into tiles. The answers come back in the order of the points. An answer depends
/// on its point alone, so the split does not change any bits. Rank 0 alone decides the course of a
/// fit. A tile that fails on one rank goes to another. A rank that has lost its device gets no more
/// tiles. The other ranks serve() until rank 0 calls finish().
class SharedObjective : public RankedObjective, public Refitter {
  public:
    /// `mine` answers on this rank. Its device memory must outlive a loss of the device
    /// (kept_if_lost). `refitter` fits simulated sets on this rank; it may be null if refits() is
    /// not called. `whole` answers the points of search() on this rank; null: as `mine`. All
    /// arguments must outlive this object.
    SharedObjective(const mpi::Communicator& world, Objective& mine, const std::atomic<bool>& stop,
                    Refitter* refitter = nullptr, Objective* whole = nullptr)
        : world_(world),
          mine_(mine),
          refitter_(refitter),
          whole_(whole ? *whole : mine),
          stop_(stop) {}

    /// On rank 0. Throws Stopped. Throws SharedError on all ranks if one rank fails or if no rank
    /// can compute a tile.
    std::vector<double> values(std::span<const Point> points) override;
    /// A point that fails on its rank is answered by another one.
    std::vector<double> values_on(std::span<const Point> points,
                                  std::span<const int> ranks) override;
    const std::vector<int>& answered_by() const override { return answered_by_; }
    bool has_rank(int rank) const override { return value_shares_.has(rank); }
    std::vector<Slope> slopes(std::span<const Point> points) override;
    /// Likewise. A simulated set is a tile.
    std::vector<Refit> refits(std::span<const Point> questions) override;
    /// On rank 0: all ranks evaluate the points of `desk`, each at its own pace. Returns false if a
    /// signal asked any rank to stop. Throws SharedError as values().
    bool search(PointDesk& desk, const std::function<void()>& watch, PointShares& shares);
    /// On rank 0, once, at any end of the fit: lets serve() return on the other ranks.
    void finish();

    /// On the other ranks: computes tiles until rank 0 calls finish().
    void serve();

    /// The work of this rank. Tiles are numbered through all batches. The partials are the tiles
    /// that other ranks had handed on, without their records.
    const TileRun<double>& run() const { return run_; }
    std::int64_t tiles_total() const { return tiles_total_; }  ///< tiles of all ranks

  private:
    enum class Task : std::int64_t { end, values, slopes, refits, search };
    using Partials = std::vector<TilePartial<double>>;

    struct Batch {
        Task task = Task::end;
        std::span<const Point> points;
        std::int64_t first_tile = 0;  ///< among the tiles of all batches
    };
    struct SharedTile {
        Tile tile;  ///< its id counts within the batch
        int rank = 0;
        bool handed_on = false;  ///< another rank failed to compute it
    };
    /// A tile that a rank could not compute.
    struct Failed {
        SharedTile tile;
        bool tried = false;  ///< false: the rank gave up before this tile
        TileFault fault = TileFault::device_error;
        FixedString<192> detail;
    };
    /// What a rank has done with its tiles.
    struct Report {
        std::int64_t points = 0, failed = 0;
        double seconds = 0;
        bool stopped = false, leaves = false;
    };

    std::vector<double> answers(Task task, std::span<const Point> points);
    /// Collective. Computes one batch. Rank 0 gets the answers of the tiles.
    Partials work(const Batch& batch);
    /// Collective. Each rank computes its tiles of `shared` and adds them to `mine`. Rank 0 gets
    /// the failed tiles. Returns whether any tile failed.
    bool work_once(const Batch& batch, const std::vector<SharedTile>& shared, Partials& mine,
                   std::vector<Failed>& failed);
    /// Computes the tiles of this rank.
    Report answer_tiles(const Batch& batch, const std::vector<SharedTile>& shared, Partials& mine,
                        std::vector<Failed>& failed);
    PointRank point_rank() { return {world_, whole_, stop_, run_, tiles_total_}; }
    static Tile numbered(const Batch& batch, const Tile& tile);
    TilePartial<double> answer(const Batch& batch, const Tile& tile);
    FairShares& shares(Task task) {
        return task == Task::values   ? value_shares_
               : task == Task::slopes ? slope_shares_
                                      : refit_shares_;
    }
    std::vector<SharedTile> share_out(const Batch& batch);
    /// The tiles of a batch whose points have their ranks.
    std::vector<SharedTile> share_out_to(std::span<const int> ranks) const;
    void note_ranks(const std::vector<SharedTile>& shared);
    /// Chooses other ranks for the failed tiles. Throws Error if there is none for a tile.
    std::vector<SharedTile> hand_on(const Batch& batch, const std::vector<Failed>& failed);

    const mpi::Communicator& world_;
    Objective& mine_;
    Refitter* refitter_;
    Objective& whole_;
    const std::atomic<bool>& stop_;
    bool over_ = false;
    std::int64_t tiles_total_ = 0;
    TileRun<double> run_;
    int failures_in_a_row_ = 0;

    // On rank 0:
    std::vector<int> chosen_ranks_;  ///< of the points of this batch; empty: by the ranks' speed
    std::vector<int> answered_by_;   ///< ranks of the points of the last batch
    FairShares value_shares_{world_.size()}, slope_shares_{world_.size()},
        refit_shares_{world_.size()};
    std::map<TileId, std::vector<Failed>> failures_;  ///< failures in the current batch
};

}  // namespace tessera::likelihood
