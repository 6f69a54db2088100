// The part of PairRun (pair_run.hpp) that sends and receives messages.
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_rows.hpp"
#include "docking/pairs/pair_run.hpp"

namespace tessera::docking {

using kernels::PoseRecord;

void PairRun::deliver(int pair, const TilePartial<PoseRecord>& partial, double seconds,
                      const std::string& input_sha256) {
    if (lists_.owner(pair) == rank_) return absorb(pair, rank_, partial, seconds, input_sha256);
    send(lists_.owner(pair),
         TileResult{pair, partial.id.value, seconds, partial.records, input_sha256});
}

void PairRun::absorb(int pair, int source, TilePartial<PoseRecord> partial, double seconds,
                     const std::string& input_sha256) {
    OwnedPair* const mine = owned(pair);
    if (!mine) return;
    const auto failure = attempt([&] {
        mine->absorb(std::move(partial), seconds, source, ranks_[static_cast<std::size_t>(source)],
                     input_sha256);
    });
    if (failure) fail(pair, *failure);
}

void PairRun::fail(int pair, const PairFailure& failure) {
    if (failure.code == ExitCode::requeue) {  // a signal came while the files were read
        lists_.stop();
        stopped_ = true;
        return;
    }
    lists_.close(pair);
    if (lists_.owner(pair) == rank_) return settle({pair, failure, {}});
    send(lists_.owner(pair), PairFailed{pair, failure});
}

void PairRun::settle(PairOutcome outcome) {
    const auto at = static_cast<std::size_t>(outcome.pair);
    if (settled_[at]) return;  // it has failed before
    settled_[at] = true;
    if (const auto mine = owned_.find(outcome.pair); mine != owned_.end()) {
        const auto journal = outcome.failure ? nullptr : mine->second.drop_tiles();
        if (journal) journal->remove();
        owned_.erase(mine);
    }
    if (!closing_) lists_.settle();
    if (rank_ == 0)
        note_settled(outcome);
    else if (!closing_)
        send(0, settled_mail(std::move(outcome)));
    else
        late_outcomes_.push_back(std::move(outcome));
}

/// Tells the pair's owner how the pair has ended.
void PairRun::tell_written(PairOutcome outcome) {
    if (lists_.owner(outcome.pair) == rank_) return settle(std::move(outcome));
    Ending ending = PairFinished{outcome.pair, outcome.written};
    if (outcome.failure) ending = PairFailed{outcome.pair, *outcome.failure};
    if (closing_)
        at_last_.push_back(std::move(ending));
    else
        tell(ending);
}

void PairRun::tell(const Ending& ending) {
    std::visit([this](const auto& mail) { send(lists_.owner(mail.pair), mail); }, ending);
}

/// On rank 0. An error in keeping the books, such as a full disk, ends the run.
void PairRun::note_settled(const PairOutcome& outcome) {
    ++(outcome.failure ? so_far_.failed : so_far_.done);
    try {
        if (settings_.ended) settings_.ended(outcome);
    } catch (const Error& error) {
        throw RunError(FinishedLine{error.what()}, error.code());
    }
}

void PairRun::receive(int source, std::span<const std::byte> message) {
    const auto ask = [&](auto request) {
        lists_.learn_owner(request.pair, source);
        asked_.push_back(std::move(request));
    };
    PairMail mail = unpacked(message);
    std::visit(
        Overloads{
            [&](TileResult& m) {
                absorb(m.pair, source, {{m.tile}, std::move(m.records)}, m.seconds, m.input_sha256);
            },
            [&](PairFailed& m) {
                settle({m.pair, m.failure, {}});
            },
            [&](TilesReturned& m) {
                hand_on({m.pair, source, m.fault, m.detail, std::move(m.tiles), m.tried});
            },
            [&](PairFinished& m) {
                settle({m.pair, {}, std::move(m.written)});
            },
            [&](TilesRequested& m) { ask(std::move(m)); },
            [&](FinishRequested& m) { ask(std::move(m)); },
            [&](PairSettled& m) { note_settled(outcome_of(std::move(m))); },
            [&](DeviceLeftOut& m) { note_left_out(source, m.why); },
        },
        mail);
}

OwnedPair* PairRun::owned(int pair) {
    if (lists_.owner(pair) != rank_ || settled_[static_cast<std::size_t>(pair)]) return nullptr;
    if (const auto mine = owned_.find(pair); mine != owned_.end()) return &mine->second;
    return &owned_.try_emplace(pair, settings_, settings_.pair(pair), std::ssize(tiles_), alone_)
                .first->second;
}

}  // namespace tessera::docking
