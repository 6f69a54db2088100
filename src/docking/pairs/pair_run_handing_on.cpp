// Tiles of a pair that fail on one rank and are done by another.
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_run.hpp"
#include "engine/run_tiles.hpp"

namespace tessera::docking {

namespace {

using docking::PairMail;

constexpr int enough_not_finite =
    3;  ///< ranks; then it is the pair's own fault (mpi/scheduling/returned_tiles)
constexpr int enough_devices = 2;  ///< lost with one tile; likewise

}  // namespace

/// To the pair's owner.
void PairRun::give_back(const Returned& returned) {
    if (returned.tried) note_device(returned.pair, returned.fault, returned.detail);
    const int owner = lists_.owner(returned.pair);
    if (owner == rank_) return hand_on(returned);
    const PairMail mail{
        {PairMail::Kind::returned, returned.pair, 0, returned.tried ? 1 : 0, {}, returned.fault, 0},
        {},
        returned.tiles,
        returned.detail};
    mail_.send(owner, mail.packed());
}

/// At the owner: to a rank that the first tile has not failed on, itself first. Without one the pair fails,
/// or the run ends.
void PairRun::hand_on(const Returned& returned) {
    if (!owned(returned.pair) || closing_ || lists_.all_gone()) return;
    if (returned.tiles.empty())
        return note_lost_finishing(returned);  // finish_whole_pairs() finds another rank
    FailedOn& failed = failed_on_[{returned.pair, returned.tiles.front()}];
    if (returned.tried) note_failed(returned, failed);
    const auto next = rank_with_device(rank_, failed.ranks);
    if (!next || failed.not_finite >= enough_not_finite || failed.devices >= enough_devices)
        return fail(returned.pair, failure_of(failed));
    if (*next == rank_) return asked_.push_back({returned.pair, returned.tiles, {}});
    const PairMail mail{
        {PairMail::Kind::request, returned.pair, 0, 0, {}, {}, 0}, {}, returned.tiles, ""};
    mail_.send(*next, mail.packed());
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

/// A whole pair whose final terms or refinement have no device any more. One that takes device after device
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

/// Not beside the preparation of a pair of this rank's own.
void PairRun::do_what_was_asked() {
    while (!claimed_ && !asked_.empty() && !stopping()) {
        Asked asked = std::move(asked_.front());
        asked_.pop_front();
        if (left_out_) {
            give_back({asked.pair, rank_, TileFault::device_lost, *left_out_, asked.tiles, false});
            continue;
        }
        preparer_.request(asked.pair);
        wait_until([&] { return preparer_.ready(); });
        searching_ = asked.pair;
        const auto failure = attempt([&] {
            const Prepared prepared = preparer_.take();
            if (asked.searched)
                return finish_for_owner(asked.pair, prepared, std::move(*asked.searched));
            PairTiles tiles(asked.tiles, tiles_, server_.get());
            search(asked.pair, prepared, tiles);
        });
        searching_.reset();
        if (failure) fail(asked.pair, *failure);
        finish_whole_pairs();
    }
}

}  // namespace tessera::docking
