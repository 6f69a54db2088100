// How many points of a batch each rank gets.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::likelihood {

/// Chooses shares so that all ranks should finish at the same time, from their times for a point in
/// earlier batches. One rank holds this object. Times may be in any unit.
class FairShares {
  public:
    explicit FairShares(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

    /// Splits `points` points into one number for each rank. Ranks that were left out get none. At
    /// least one rank must remain.
    std::vector<std::int64_t> of(std::int64_t points) const;

    /// Notes that `rank` computed `points` points of the last batch. A rank that had none slowly
    /// counts as faster, so that it gets points again.
    void took(int rank, std::int64_t points, double seconds);

    /// Gives `rank` no more points.
    void leave_out(int rank) { ranks_[static_cast<std::size_t>(rank)].out = true; }
    bool has(int rank) const { return !ranks_[static_cast<std::size_t>(rank)].out; }

  private:
    struct Rank {
        double point_seconds = 0;  ///< 0: unknown
        bool out = false;
    };
    double shortest_known() const;

    std::vector<Rank> ranks_;
};

}  // namespace tessera::likelihood
