// The part of PairRun (pair_run.hpp) for tiles that fail on one rank and go to another.
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_run.hpp"
#include "engine/run_tiles.hpp"

namespace tessera::docking {

namespace {

/// When a tile fails in this way on so many ranks, the pair is the cause
/// (mpi/scheduling/returned_tiles).
constexpr int enough_not_finite = 3;
constexpr int enough_devices = 2;  ///< devices that one tile may take with it

}  // namespace

/// Returns the tiles to the pair's owner.
void PairRun::give_back(const Returned& returned) {
    if (returned.tried) note_device(returned.pair, returned.fault, returned.detail);
    const int owner = lists_.owner(returned.pair);
    if (owner == rank_) return hand_on(returned);
    send(owner, TilesReturned{returned.pair, returned.tried, returned.fault, returned.tiles,
                              returned.detail});
}

/// At the owner: passes the tiles to a rank on which the first of them has not failed, itself
/// first. If there is no such rank, the pair fails or the run ends.
void PairRun::hand_on(const Returned& returned) {
    if (!owned(returned.pair) || closing_ || lists_.all_gone()) return;
    if (returned.tiles.empty())
        return note_lost_finishing(returned);  // finish_whole_pairs() finds another rank
    FailedOn& failed = failed_on_[{returned.pair, returned.tiles.front()}];
    if (returned.tried) note_failed(returned, failed);
    const auto next = rank_with_device(rank_, failed.ranks);
    if (!next || failed.not_finite >= enough_not_finite || failed.devices >= enough_devices)
        return fail(returned.pair, failure_of(failed));
    const TilesRequested request{returned.pair, returned.tiles};
    if (*next == rank_) return asked_.push_back(request);
    send(*next, request);
}

void PairRun::note_failed(const Returned& returned, FailedOn& failed) {
    OwnedPair& mine = owned_.at(returned.pair);
    mine.note_failed_tile({returned.tiles.front(), returned.rank, name_of(returned.fault),
                           returned.detail, "handed on"});
    failed.ranks.insert(returned.rank);
    failed.last = returned;
    if (returned.fault == TileFault::not_finite) ++failed.not_finite;
    if (returned.fault != TileFault::device_lost) return;
    ++failed.devices;
    mine.note_fate(returned.rank, ranks_[static_cast<std::size_t>(returned.rank)],
                   name_of(returned.fault));
}

/// The device was lost while a whole pair was sorted or refined. A pair that takes several devices
/// with it fails.
void PairRun::note_lost_finishing(const Returned& returned) {
    OwnedPair& mine = owned_.at(returned.pair);
    mine.take_back();
    if (!returned.tried) return;
    mine.note_fate(returned.rank, ranks_[static_cast<std::size_t>(returned.rank)], lost_at_the_end);
    FailedOn& failed = failed_on_[{returned.pair, finishing}];
    if (++failed.devices < enough_devices || lists_.all_gone()) return;
    fail(returned.pair, {Error("the pair's refinement failed on " + std::to_string(failed.devices) +
                                   " ranks: device lost",
                               returned.detail, "dock this pair alone, or with --refine 0")
                             .what(),
                         ExitCode::resources});
}

PairFailure PairRun::failure_of(const FailedOn& failed) const {
    const Returned& last = failed.last;
    const Tile& tile = tiles_[static_cast<std::size_t>(last.tiles.front())];
    const ExitCode code =
        last.fault == TileFault::not_finite ? ExitCode::numerics : ExitCode::resources;
    return {detail::failed_tile({false, tile, static_cast<int>(failed.ranks.size())},
                                {last.fault, last.detail, code, false})
                .what(),
            code};
}

/// Does what owners have asked for, but only while this rank prepares no pair of its own.
void PairRun::do_what_was_asked() {
    while (!claimed_ && !asked_.empty() && !stopping()) {
        const Asked asked = std::move(asked_.front());
        asked_.pop_front();
        const int pair = std::visit([](const auto& request) { return request.pair; }, asked);
        if (left_out_) {
            const auto* const request = std::get_if<TilesRequested>(&asked);
            give_back({pair, rank_, TileFault::device_lost, *left_out_,
                       request ? request->tiles : std::vector<std::int64_t>{}, false});
            continue;
        }
        preparer_.request(pair);
        wait_until([&] { return preparer_.ready(); });
        searching_ = pair;
        const auto failure = attempt([&] {
            const Prepared prepared = preparer_.take();
            const auto search_tiles = [&](const TilesRequested& request) {
                PairTiles tiles(request.tiles, tiles_, server_.get());
                search(pair, prepared, tiles);
            };
            const auto finish = [&](const FinishRequested& request) {
                finish_for_owner(prepared, request);
            };
            std::visit(Overloads{search_tiles, finish}, asked);
        });
        searching_.reset();
        if (failure) fail(pair, *failure);
        finish_whole_pairs();
    }
}

}  // namespace tessera::docking
