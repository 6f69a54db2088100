// The part of PairRun (pair_run.hpp) for ranks whose device is lost or keeps failing.
#include "docking/pairs/pair_mail.hpp"
#include "docking/pairs/pair_run.hpp"
#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera::docking {

namespace {

constexpr std::size_t failures_until_leaving = 8;  ///< pairs that fail one after another

}  // namespace

/// Leaves the device out if it is lost or keeps failing. Otherwise it would ruin one pair after
/// another.
void PairRun::note_device(int pair, TileFault fault, const std::string& detail) {
    if (left_out_) return;
    if (fault == TileFault::device_lost) return leave_out("it is lost: " + detail);
    if (fault == TileFault::not_finite) return;
    failed_in_a_row_.insert(pair);
    if (failed_in_a_row_.size() < failures_until_leaving) return;
    leave_out("it fails on one pair after another: " + detail);
}

/// Leaves out this rank's device. The last rank to do so ends the run.
void PairRun::leave_out(const std::string& why) {
    left_out_ = why;
    for (auto& [pair, mine] : owned_) mine.forget_preparation();
    if (lists_.leave_for_good() == world_.size()) return lists_.stop();
    if (rank_ == 0) return note_left_out(rank_, why);
    if (!closing_) send(0, DeviceLeftOut{why});
}

void PairRun::note_left_out(int rank, const std::string& why) {
    if (settings_.left_out)
        settings_.left_out(rank, ranks_[static_cast<std::size_t>(rank)].host.str(), why);
}

std::optional<std::string> PairRun::no_device_left() {
    return lists_.all_gone() ? left_out_ : std::nullopt;
}

/// The first rank with a device, counted in a ring from `first` and without `besides`.
std::optional<int> PairRun::rank_with_device(int first, const std::set<int>& besides) {
    for (int step = 0; step < world_.size(); ++step) {
        const int rank = (first + step) % world_.size();
        if (!besides.contains(rank) && !lists_.is_gone(rank)) return rank;
    }
    return std::nullopt;
}

/// Asks another rank to finish a whole pair of this rank. The tiles stay here, so that the pair can
/// go to a third rank or to the next run.
void PairRun::send_to_finish(int pair) {
    if (closing_) return;
    const auto next = rank_with_device(pair % world_.size(), {});
    if (!next) return;  // the run ends
    SearchedPair searched = owned_.at(pair).give();
    send(*next, FinishRequested{pair, all_records(searched.best), packed_record(searched.record)});
}

void PairRun::finish_for_owner(const Prepared& prepared, const FinishRequested& request) {
    const int pair = request.pair;
    wait_for_writer();
    if (left_out_)  // another pair has just taken the device with it
        return give_back({pair, rank_, TileFault::device_lost, *left_out_, {}, false});
    const DockInput input = settings_.pair(pair).input;
    SearchedPair searched{prepared, {input.sets.size(), input.poses_sorted()}, settings_.record};
    searched.best.add(request.records);
    unpack_record(request.run_record, searched.record);
    if (auto sorted = finish_on_device(pair, searched, nullptr))  // the owner keeps the journal
        finisher_.write(pair, std::move(searched), std::move(*sorted), nullptr);
    else if (left_out_)
        give_back({pair, rank_, TileFault::device_lost, *left_out_, {}});
}

/// Sorts and refines the pair. Returns nothing in three cases: the pair fails and is settled; the
/// device is lost and this rank is left out; or the run is stopped, and the pair stays as it is for
/// the next run.
std::optional<SortedPoses> PairRun::finish_on_device(int pair, SearchedPair& searched,
                                                     TileFiles* journal) {
    const auto after_tile = [&](std::int64_t done, std::int64_t total) {
        so_far_.refining = pair;
        so_far_.tiles_refined = done;
        so_far_.tiles_to_refine = total;
        show_progress();
    };
    SortedPoses sorted;
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
