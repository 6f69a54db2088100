#include "likelihood/fit/point_desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "core/error.hpp"
#include "io/text/counted.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::uint64_t verification = std::uint64_t{1} << 34;  // key of the random numbers
constexpr int devices_a_point_may_take = 2;

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

std::string alone_warning(const PointGuest& guest) {
    return fmt::format("warning: {} verifies its own answers, because no other rank has a device "
                       "of its kind",
                       guest.place);
}

PointDesk::PointDesk(SteadySearch& search, std::vector<PointGuest> guests, DeskOptions options)
    : search_(search), guests_(std::move(guests)), options_(std::move(options)) {
    if (options_.verify == 0) return;
    for (const PointGuest& one : guests_)
        if (std::ranges::count(guests_, one.kind, &PointGuest::kind) == 1)
            options_.warn(alone_warning(one));
}

void PointDesk::repeat(const SettledPoint& point) {
    while (search_.asked() < point.asked) {
        auto proposal = search_.propose();
        if (!proposal) break;
        const std::int64_t number = proposal->number;
        pending_[number].proposal = std::move(*proposal);
    }
    const auto found = pending_.find(point.number);
    if (found == pending_.end())
        throw Error("the journal of the search does not fit its points",
                    "it is damaged, or this is a bug", "start over with --force",
                    ExitCode::internal);
    note(point);
    search_.accept(found->second.proposal, point.value);
    pending_.erase(found);
    waiting_.clear();
    for (const auto& [number, its] : pending_) waiting_.push_back(number);
}

bool PointDesk::is_verified(std::int64_t number) const {
    RandomStream random{options_.seed, verification, static_cast<std::uint64_t>(number)};
    return random.uniform() < options_.verify;
}

std::vector<int> PointDesk::suited(const Pending& pending) const {
    const auto answered = [&](int rank) {
        return std::ranges::find(pending.answers, rank, &Answer::rank) != pending.answers.end();
    };
    std::vector<int> fresh, again;
    for (int rank = 0; rank < std::ssize(guests_); ++rank) {
        const PointGuest& guest = guests_[static_cast<std::size_t>(rank)];
        if (guest.left || std::ranges::count(pending.failed_on, rank) > 0) continue;
        if (!pending.answers.empty() &&
            guest.kind != guests_[static_cast<std::size_t>(pending.answers.front().rank)].kind)
            continue;
        (answered(rank) ? again : fresh).push_back(rank);
    }
    if (!fresh.empty() || again.empty()) return fresh;
    return {*std::ranges::min_element(
        again, {}, [&](int rank) { return guests_[static_cast<std::size_t>(rank)].wrong; })};
}

std::vector<Proposal> PointDesk::next(int rank, std::size_t most) {
    std::vector<Proposal> errands;
    if (guests_[static_cast<std::size_t>(rank)].left) return errands;
    for (auto at = waiting_.begin(); at != waiting_.end() && errands.size() < most;) {
        const Pending& pending = pending_.at(*at);
        const auto ranks = suited(pending);
        if (std::ranges::find(ranks, rank) == ranks.end()) {
            ++at;
            continue;
        }
        errands.push_back(pending.proposal);
        at = waiting_.erase(at);
    }
    // If many points wait for a slow rank to verify them, the search would move without them.
    const auto held = static_cast<std::size_t>(search_.size());
    while (errands.size() < most && waiting_.size() < held) {
        auto proposal = search_.propose();
        if (!proposal) break;
        errands.push_back(*proposal);
        const std::int64_t number = proposal->number;
        pending_[number].proposal = std::move(*proposal);
    }
    return errands;
}

void PointDesk::take(int rank, std::int64_t number, double value) {
    Pending& pending = pending_.at(number);
    pending.answers.push_back({rank, value});
    judge(pending);
}

void PointDesk::judge(Pending& pending) {
    const auto& answers = pending.answers;
    const std::int64_t number = pending.proposal.number;
    if (answers.size() == 1 && !is_verified(number))
        return settle(pending, answers[0].value, Verification::none);
    if (answers.size() == 2 && same_bits(answers[0].value, answers[1].value))
        return settle(pending, answers[0].value, Verification::agreed);
    if (answers.size() == 3) {
        for (const auto& [right, wrong] : {std::pair{0u, 1u}, std::pair{1u, 0u}})
            if (same_bits(answers[right].value, answers[2].value))
                return settle(pending, answers[2].value, Verification::differed,
                              answers[wrong].rank);
        return settle(pending, rejected, Verification::differed);
    }
    if (suited(pending).empty()) return settle_early(pending);
    waiting_.push_back(number);
}

void PointDesk::settle_early(const Pending& pending) {
    if (pending.answers.size() == 1)
        settle(pending, pending.answers[0].value, Verification::none);
    else
        settle(pending, rejected, Verification::differed);
}

void PointDesk::settle(const Pending& pending, double value, Verification verification,
                       int wrong_rank) {
    const Proposal proposal = pending.proposal;
    const SettledPoint point{search_.asked(), proposal.number, value, verification, wrong_rank};
    note(point);
    if (verification == Verification::differed && wrong_rank < 0)
        options_.warn(fmt::format("warning: no two evaluations of point {} of the search agree; "
                                  "the point is rejected",
                                  proposal.number));
    if (wrong_rank >= 0) {
        PointGuest& guest = guests_[static_cast<std::size_t>(wrong_rank)];
        ++guest.wrong;
        if (std::has_single_bit(static_cast<std::uint64_t>(guest.wrong)))
            options_.warn(fmt::format("warning: {} gave a wrong value for point {} of the search: "
                                      "two other evaluations agree, and count; wrong answers of "
                                      "this rank: {}, mismatched points: {} of {} verified",
                                      guest.place, proposal.number, guest.wrong, mismatched_,
                                      verified_));
    }
    if (options_.settled) options_.settled(point);
    pending_.erase(proposal.number);
    search_.accept(proposal, value);
}

void PointDesk::note(const SettledPoint& point) {
    if (point.verification != Verification::none) ++verified_;
    if (point.verification == Verification::differed) ++mismatched_;
}

void PointDesk::give_back(int rank, std::int64_t number, bool tried, TileFault fault,
                          const std::string& detail) {
    Pending& pending = pending_.at(number);
    if (tried) pending.failed_on.push_back(rank);
    if (fault == TileFault::device_lost && tried) ++pending.devices_lost;
    const bool hopeless =
        suited(pending).empty() || pending.devices_lost >= devices_a_point_may_take;
    if (!hopeless) return waiting_.push_back(number);
    if (!pending.answers.empty()) return settle_early(pending);
    throw Error(fmt::format("point {} of the search failed on {}: {}", number,
                            io::counted(pending.failed_on.size(), "rank"), name_of(fault)),
                detail, "use a device with more free memory or another --device",
                ExitCode::resources);
}

void PointDesk::leave(int rank) {
    guests_[static_cast<std::size_t>(rank)].left = true;
    // Points that only this rank could have verified count as they are.
    const std::vector<std::int64_t> numbers(waiting_.begin(), waiting_.end());
    for (const std::int64_t number : numbers) {
        const Pending& pending = pending_.at(number);
        if (!suited(pending).empty()) continue;
        if (pending.answers.empty())
            throw Error(fmt::format("no rank is left that can evaluate point {}", number),
                        "it failed on one, and the devices of the others are lost",
                        "start the same command again", ExitCode::resources);
        waiting_.remove(number);
        settle_early(pending);
    }
}

}  // namespace tessera::likelihood
