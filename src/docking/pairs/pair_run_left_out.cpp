// Ranks whose device is lost, or does nothing but fail: others do its work.
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_run.hpp"
#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera::docking {

namespace {

using docking::PairMail;

constexpr std::size_t failures_until_leaving = 8;  ///< pairs, one after the other

}  // namespace

/// A device that does nothing but fail would take pair after pair.
void PairRun::note_device(int pair, TileFault fault, const std::string& detail) {
    if (left_out_) return;
    if (fault == TileFault::device_lost) return leave_out("it is lost: " + detail);
    if (fault == TileFault::not_finite) return;
    failed_in_a_row_.insert(pair);
    if (failed_in_a_row_.size() < failures_until_leaving) return;
    leave_out("it fails on one pair after the other: " + detail);
}

/// The last one to be left out ends the run.
void PairRun::leave_out(const std::string& why) {
    left_out_ = why;
    for (auto& [pair, mine] : owned_) mine.forget_preparation();
    if (lists_.leave_for_good() == world_.size()) return lists_.stop();
    if (rank_ == 0) return note_left_out(rank_, why);
    if (!closing_) mail_.send(0, PairMail{{PairMail::Kind::left_out}, {}, {}, why}.packed());
}

void PairRun::note_left_out(int rank, const std::string& why) {
    if (settings_.left_out)
        settings_.left_out(rank, ranks_[static_cast<std::size_t>(rank)].host.str(), why);
}

std::optional<std::string> PairRun::no_device_left() {
    return lists_.all_gone() ? left_out_ : std::nullopt;
}

/// The first that comes in a ring and is none of `besides`.
std::optional<int> PairRun::rank_with_device(int first, const std::set<int>& besides) {
    for (int step = 0; step < world_.size(); ++step) {
        const int rank = (first + step) % world_.size();
        if (!besides.contains(rank) && !lists_.is_gone(rank)) return rank;
    }
    return std::nullopt;
}

/// A whole pair of this rank's. It stays here, to be given to yet another or kept for the next run.
void PairRun::send_to_finish(int pair) {
    if (closing_) return;
    const auto next = rank_with_device(pair % world_.size(), {});
    if (!next) return;  // the run ends
    SearchedPair searched = owned_.at(pair).give();
    const PairMail mail{{PairMail::Kind::searched, pair},
                        all_records(searched.best),
                        {},
                        packed_record(searched.record)};
    mail_.send(*next, mail.packed());
}

void PairRun::finish_for_owner(int pair, const Prepared& prepared, PairMail mail) {
    wait_for_writer();
    if (left_out_)  // meanwhile, by another pair
        return give_back({pair, rank_, TileFault::device_lost, *left_out_, {}, false});
    const docking::DockInput& input = settings_.pair(pair).input;
    SearchedPair searched{prepared, {input.sets.size(), input.poses_sorted()}, settings_.record};
    searched.best.add(mail.records);
    unpack_record(mail.text, searched.record);
    if (auto sorted =
            finish_on_device(pair, searched, nullptr))  // the owner's journal is elsewhere
        finisher_.write(pair, std::move(searched), std::move(*sorted), nullptr);
    else if (left_out_)
        give_back({pair, rank_, TileFault::device_lost, *left_out_, {}});
}

/// None where the pair fails, which is settled then, where the device is lost and this rank left out, or where
/// the run was stopped: the pair then stays as it is, for the next run.
std::optional<docking::SortedPoses> PairRun::finish_on_device(int pair, SearchedPair& searched,
                                                              TileFiles* journal) {
    const auto after_tile = [&](std::int64_t done, std::int64_t total) {
        so_far_.refining = pair;
        so_far_.tiles_refined = done;
        so_far_.tiles_to_refine = total;
        show_progress();
    };
    docking::SortedPoses sorted;
    const double begun = seconds_now();
    const auto failure = attempt([&] {
        sorted = finisher_.sort_and_refine(pair, searched, {journal, &settings_.stop, after_tile});
    });
    so_far_.refining = -1;
    share_.busy_seconds += seconds_now() - begun;
    if (!failure) return sorted;
    if (failure->code == ExitCode::requeue) return std::nullopt;
    if (kernels::device_is_lost())
        note_device(pair, TileFault::device_lost, kernels::reason_of_loss());
    else
        fail(pair, *failure);
    return std::nullopt;
}

}  // namespace tessera::docking
