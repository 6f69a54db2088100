// Tiles of a pair that fail on one rank and are done by another.
#include "cli/pairs/pair_run.hpp"
#include "docking/pairs/pair_mail.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

namespace {

using docking::PairMail;

constexpr int enough_not_finite =
    3;  ///< ranks; then it is the pair's own fault (mpi/returned_tiles)

}  // namespace

/// To the pair's owner.
void PairRun::give_back(const Returned& returned) {
    const int owner = lists_.owner(returned.pair);
    if (owner == rank_) return hand_on(returned);
    const PairMail mail{{PairMail::Kind::returned, returned.pair, 0, 1, {}, returned.fault, 0},
                        {},
                        returned.tiles,
                        returned.detail};
    mail_.send(owner, mail.packed());
}

/// At the owner: to a rank that the first tile has not failed on, itself first. Without one the pair fails.
void PairRun::hand_on(const Returned& returned) {
    OwnedPair* mine = owned(returned.pair);
    if (!mine || closing_) return;
    mine->note_failed_tile({returned.tiles.front(), returned.rank, name_of(returned.fault),
                            returned.detail, "handed on"});
    FailedOn& failed = failed_on_[{returned.pair, returned.tiles.front()}];
    failed.ranks.insert(returned.rank);
    if (returned.fault == TileFault::not_finite) ++failed.not_finite;
    int next = rank_;
    for (int step = 0; step < world_.size() && failed.ranks.contains(next); ++step)
        next = (next + 1) % world_.size();
    if (failed.ranks.contains(next) || failed.not_finite >= enough_not_finite)
        return fail(returned.pair, failure_of(returned, static_cast<int>(failed.ranks.size())));
    if (next == rank_) return asked_.push_back({returned.pair, returned.tiles});
    const PairMail mail{
        {PairMail::Kind::request, returned.pair, 0, 0, {}, {}, 0}, {}, returned.tiles, ""};
    mail_.send(next, mail.packed());
}

PairFailure PairRun::failure_of(const Returned& returned, int ranks) const {
    const Tile& tile = tiles_[static_cast<std::size_t>(returned.tiles.front())];
    const ExitCode code =
        returned.fault == TileFault::not_finite ? ExitCode::numerics : ExitCode::resources;
    return {
        detail::failed_tile({false, tile, ranks}, {returned.fault, returned.detail, code, false})
            .what(),
        code};
}

/// Not beside the preparation of a pair of this rank's own.
void PairRun::do_what_was_asked() {
    while (!claimed_ && !asked_.empty() && !stopping()) {
        const Asked asked = std::move(asked_.front());
        asked_.pop_front();
        preparer_.request(asked.pair);
        wait_until([&] { return preparer_.ready(); });
        searching_ = asked.pair;
        const auto failure = attempt([&] {
            PairTiles tiles(asked.tiles, tiles_, server_.get());
            search(asked.pair, preparer_.take(), tiles);
        });
        searching_.reset();
        if (failure) fail_here(asked.pair, *failure);
        finish_whole_pairs();
    }
}

}  // namespace tessera::cli
