#include "likelihood/fit/fair_shares.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace tessera::likelihood {

/// Shortest known time of a rank for one point; 1 if none is known.
double FairShares::shortest_known() const {
    double shortest = 0;
    for (const Rank& rank : ranks_)
        if (rank.point_seconds > 0 && (shortest == 0 || rank.point_seconds < shortest))
            shortest = rank.point_seconds;
    return shortest > 0 ? shortest : 1;
}

std::vector<std::int64_t> FairShares::of(std::int64_t points) const {
    const double guess = shortest_known();
    const auto seconds = [&](std::size_t rank) {
        return ranks_[rank].point_seconds > 0 ? ranks_[rank].point_seconds : guess;
    };
    // Each point goes to the rank that would finish it first.
    using Done = std::pair<double, std::size_t>;  // time, rank
    std::priority_queue<Done, std::vector<Done>, std::greater<>> next;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
        if (!ranks_[rank].out) next.push({seconds(rank), rank});
    std::vector<std::int64_t> shares(ranks_.size(), 0);
    for (; points > 0; --points) {
        const auto [when, rank] = next.top();
        next.pop();
        ++shares[rank];
        next.push({when + seconds(rank), rank});
    }
    return shares;
}

void FairShares::took(int rank, std::int64_t points, double seconds) {
    constexpr double forgotten = 0.5, favour = 0.98;
    double& known = ranks_[static_cast<std::size_t>(rank)].point_seconds;
    if (points == 0) {
        known *= favour;
        return;
    }
    const double now = std::max(seconds, 1e-9) / static_cast<double>(points);
    known = known > 0 ? (1 - forgotten) * known + forgotten * now : now;
}

}  // namespace tessera::likelihood
