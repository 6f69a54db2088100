// How many points of a batch each rank gets.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::likelihood {

/// Shares by which all ranks should be done at the same time, from what a point took each of them
/// in the batches before. Kept on one rank; times are in any unit.
class FairShares {
  public:
    explicit FairShares(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

    /// `points` in all, a number a rank. Ranks that are out get none; there must be another.
    std::vector<std::int64_t> of(std::int64_t points) const;

    /// `rank` had `points` of the last batch. One that had none comes slowly back into favour.
    void took(int rank, std::int64_t points, double seconds);

    /// `rank` gets nothing any more.
    void leave_out(int rank) { ranks_[static_cast<std::size_t>(rank)].out = true; }
    bool has(int rank) const { return !ranks_[static_cast<std::size_t>(rank)].out; }

  private:
    struct Rank {
        double point_seconds = 0;  ///< 0: not known yet
        bool out = false;
    };
    double shortest_known() const;

    std::vector<Rank> ranks_;
};

}  // namespace tessera::likelihood
