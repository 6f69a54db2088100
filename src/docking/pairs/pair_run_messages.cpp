// What ranks tell each other while they work on many pairs.
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_run.hpp"

namespace tessera::docking {

using docking::PairMail;
using kernels::PoseRecord;

void PairRun::deliver(int pair, const TilePartial<PoseRecord>& partial, double seconds,
                      const std::string& input_sha256) {
    if (lists_.owner(pair) == rank_) return absorb(pair, rank_, partial, seconds, input_sha256);
    const PairMail mail{{PairMail::Kind::partial, pair, partial.id.value, 0, {}, {}, seconds},
                        partial.records,
                        {},
                        input_sha256};
    mail_.send(lists_.owner(pair), mail.packed());
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
    if (failure.code == ExitCode::requeue) {  // a signal, while its files were read
        lists_.stop();
        stopped_ = true;
        return;
    }
    lists_.close(pair);
    if (lists_.owner(pair) == rank_) return settle({pair, failure, ""});
    const PairMail mail{
        {PairMail::Kind::failure, pair, 0, 1, failure.code, {}, 0}, {}, {}, failure.reason};
    mail_.send(lists_.owner(pair), mail.packed());
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
    if (rank_ == 0) {
        note_settled(outcome.pair, outcome.failure);
    } else if (!closing_) {
        const PairFailure failure = outcome.failure.value_or(PairFailure{});
        const PairMail mail{{PairMail::Kind::settled,
                             outcome.pair,
                             0,
                             outcome.failure ? 1 : 0,
                             failure.code,
                             {},
                             0},
                            {},
                            {},
                            failure.reason};
        mail_.send(0, mail.packed());
    }
    outcomes_.push_back(std::move(outcome));
}

/// To the pair's owner.
void PairRun::tell_written(PairOutcome outcome) {
    if (lists_.owner(outcome.pair) == rank_) return settle(std::move(outcome));
    const PairFailure failure = outcome.failure.value_or(PairFailure{});
    PairMail mail{{PairMail::Kind::finished, outcome.pair, 0, 0, {}, {}, 0}, {}, {}, outcome.row};
    if (outcome.failure)
        mail = {{PairMail::Kind::failure, outcome.pair, 0, 1, failure.code, {}, 0},
                {},
                {},
                failure.reason};
    if (closing_)
        at_last_.push_back(std::move(mail));
    else
        mail_.send(lists_.owner(outcome.pair), mail.packed());
}

void PairRun::note_settled(int pair, const std::optional<PairFailure>& failure) {
    ++(failure ? so_far_.failed : so_far_.done);
    if (failure && settings_.failure) settings_.failure(settings_.pair(pair), failure->reason);
}

void PairRun::receive(int source, std::span<const std::byte> message) {
    PairMail mail = PairMail::unpacked(message);
    const int pair = static_cast<int>(mail.header.pair);
    std::optional<PairFailure> failure;
    if (mail.header.failed != 0) failure = {mail.text, mail.header.code};
    switch (mail.header.kind) {
        case PairMail::Kind::partial:
            return absorb(pair, source, {{mail.header.tile}, std::move(mail.records)},
                          mail.header.seconds, mail.text);
        case PairMail::Kind::failure: return settle({pair, failure, ""});
        case PairMail::Kind::settled: return note_settled(pair, failure);
        case PairMail::Kind::returned:
            return hand_on({pair, source, mail.header.fault, mail.text, std::move(mail.tiles),
                            mail.header.failed != 0});
        case PairMail::Kind::request:
            lists_.learn_owner(pair, source);
            return asked_.push_back({pair, std::move(mail.tiles), {}});
        case PairMail::Kind::searched:
            lists_.learn_owner(pair, source);
            return asked_.push_back({pair, {}, std::move(mail)});
        case PairMail::Kind::finished: return settle({pair, {}, mail.text});
        case PairMail::Kind::left_out: return note_left_out(source, mail.text);
    }
}

OwnedPair* PairRun::owned(int pair) {
    if (lists_.owner(pair) != rank_ || settled_[static_cast<std::size_t>(pair)]) return nullptr;
    return &owned_.try_emplace(pair, settings_, settings_.pair(pair), std::ssize(tiles_), alone_)
                .first->second;
}

}  // namespace tessera::docking
