// An objective whose evaluations are spread over the ranks of a communicator.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/run_statistics.hpp"
#include "core/tile.hpp"
#include "likelihood/fit/objective.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// Thrown on rank 0 where a signal asked some rank to stop.
struct Stopped {};

/// Rank 0 asks, all ranks answer: a batch is cut into tiles, which the ranks take in turn; the answers
/// come back in tile order. As an answer depends on its point alone, so do the bits of the whole, and
/// the course of a fit is decided on one rank. The others serve() until rank 0 finish()es.
class SharedObjective : public Objective {
  public:
    /// `mine` answers on this rank. Both must outlive this.
    SharedObjective(const mpi::Communicator& world, Objective& mine, const std::atomic<bool>& stop)
        : world_(world), mine_(mine), stop_(stop) {}

    /// On rank 0. Throws Stopped, or SharedError (on all ranks) for the failure of one.
    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;
    /// On rank 0, once, however the fit ends: lets the others return.
    void finish();

    /// On the other ranks.
    void serve();

    std::int64_t tiles_done() const { return tiles_done_; }    ///< by this rank
    std::int64_t tiles_total() const { return tiles_total_; }  ///< by all
    double busy_seconds() const { return busy_seconds_; }      ///< of this rank

  private:
    enum class Task : std::int64_t { end, values, slopes };
    using Partials = std::vector<TilePartial<double>>;

    std::vector<double> answers(Task task, std::span<const Point> points);
    /// Collective: one batch. The tiles' answers on rank 0.
    Partials work(Task task, std::span<const Point> points);
    TilePartial<double> answer_tile(Task task, const Tile& tile, std::span<const Point> points);

    const mpi::Communicator& world_;
    Objective& mine_;
    const std::atomic<bool>& stop_;
    bool over_ = false;
    std::int64_t tiles_done_ = 0, tiles_total_ = 0;
    double busy_seconds_ = 0;
};

}  // namespace tessera::likelihood
