// Which rank computes which tile of a batch, as rank 0 decides it. Declared in
// shared_objective.hpp.
#include <algorithm>

#include "likelihood/fit/shared_objective.hpp"

namespace tessera::likelihood {

namespace {

// Points of the largest tile: few enough to notice a signal soon, and enough to fill a device.
constexpr std::int64_t largest_tile = 32;
constexpr int devices_a_tile_may_take = 2;

}  // namespace

std::vector<SharedObjective::SharedTile> SharedObjective::share_out(const Batch& batch) {
    if (!chosen_ranks_.empty()) return share_out_to(chosen_ranks_);
    std::vector<SharedTile> shared;
    std::int64_t begin = 0;
    const auto points = shares(batch.task).of(static_cast<std::int64_t>(batch.points.size()));
    const std::int64_t most = batch.task == Task::refits ? 1 : largest_tile;
    for (int rank = 0; rank < world_.size(); ++rank) {
        const std::int64_t last = begin + points[static_cast<std::size_t>(rank)];
        while (begin < last) {
            const std::int64_t end = std::min(begin + most, last);
            shared.push_back({{{static_cast<std::int64_t>(shared.size())}, begin, end}, rank});
            begin = end;
        }
    }
    return shared;
}

std::vector<SharedObjective::SharedTile>
SharedObjective::share_out_to(std::span<const int> ranks) const {
    std::vector<SharedTile> shared;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto point = static_cast<std::int64_t>(i);
        const bool goes_on = !shared.empty() && shared.back().rank == ranks[i] &&
                             shared.back().tile.size() < largest_tile;
        if (!goes_on)
            shared.push_back(
                {{{static_cast<std::int64_t>(shared.size())}, point, point}, ranks[i]});
        shared.back().tile.end = point + 1;
    }
    return shared;
}

void SharedObjective::note_ranks(const std::vector<SharedTile>& shared) {
    for (const SharedTile& its : shared)
        for (std::int64_t i = its.tile.begin; i < its.tile.end; ++i)
            answered_by_[static_cast<std::size_t>(i)] = its.rank;
}

std::vector<SharedObjective::SharedTile>
SharedObjective::hand_on(const Batch& batch, const std::vector<Failed>& failed) {
    std::vector<SharedTile> handed;
    for (const Failed& its : failed) {
        const Tile& tile = its.tile.tile;
        std::vector<Failed>& all = failures_[tile.id];
        if (its.tried) all.push_back(its);
        std::vector<int> able;
        for (int rank = 0; rank < world_.size(); ++rank)
            if (value_shares_.has(rank) &&
                std::ranges::none_of(all, [&](const Failed& one) { return one.tile.rank == rank; }))
                able.push_back(rank);
        if (able.empty() || std::ranges::count(all, TileFault::device_lost, &Failed::fault) >=
                                devices_a_tile_may_take)
            throw detail::failed_tile({false, numbered(batch, tile), static_cast<int>(all.size())},
                                      {its.fault, its.detail.str()});
        handed.push_back({tile, able[handed.size() % able.size()], true});
    }
    return handed;
}

}  // namespace tessera::likelihood
