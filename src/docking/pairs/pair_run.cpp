#include "docking/pairs/pair_run.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "docking/pairs/pair_tiles.hpp"
#include "docking/search/dock_workload.hpp"
#include "engine/guarded_workload.hpp"
#include "engine/run_tiles.hpp"
#include "kokkos_kernels/device/device_guard.hpp"

namespace tessera::docking {

namespace {

using kernels::PoseRecord;

constexpr double between_progress = 0.1;        ///< seconds
constexpr std::size_t pairs_being_written = 2;  ///< the search waits while there are more
constexpr auto between_looks = std::chrono::microseconds(500);

/// Equal on all ranks. The groups are so small that every rank finds several of them to claim.
std::vector<int> groups_of(const PairSource& pairs, int ranks) {
    return receptor_groups(pairs, std::max(1, static_cast<int>(pairs.size()) / (4 * ranks)));
}

}  // namespace

/// Stands in for a journal in run_tiles: sends every tile to the pair's owner.
class PairRun::TileSender {
  public:
    /// `input_sha256`: hash of the pair's files as this rank has read them.
    TileSender(PairRun& run, PairTiles& tiles, int pair, const std::string& input_sha256)
        : run_(run), tiles_(tiles), pair_(pair), input_sha256_(input_sha256) {}

    /// Whether this rank knows that the owner has the tile.
    bool contains(TileId tile) const {
        const OwnedPair* mine = run_.owned(pair_);
        return mine && mine->contains(tile);
    }
    std::vector<TilePartial<PoseRecord>> restored() const { return {}; }
    void append(const TilePartial<PoseRecord>& partial) {
        run_.failed_in_a_row_.clear();
        run_.deliver(pair_, partial, tiles_.end_tile(), input_sha256_);
    }

  private:
    PairRun& run_;
    PairTiles& tiles_;
    int pair_;
    const std::string& input_sha256_;
};

PairRun::PairRun(const mpi::Communicator& world, const PairRunSettings& settings,
                 const RankRecord& mine)
    : settings_(settings),
      world_(world),
      alone_(world.split(world.rank(), 0)),
      rank_(world.rank()),
      ranks_(world.allgather(mine)),
      tiles_(cut_into_tiles(static_cast<std::int64_t>(settings.rotations.bases.size()),
                            bases_per_tile(settings.rotations))),
      lists_(world, std::vector<std::int64_t>(settings.pairs.size(), std::ssize(tiles_)),
             groups_of(settings.pairs, world.size())),
      mail_(world),
      device_(settings.device.backend, settings.memory_budget),
      settled_(settings.pairs.size(), false),
      share_(mine),
      look_pause_(world.size()),
      preparer_(settings.pairs, settings.rotations, settings.device.threads),
      finisher_(settings_, device_) {
    if (world.split_shared().size() < world.size() && rank_ == 0)
        server_ = std::make_unique<mpi::RequestServer>(world_);
}

void PairRun::run() {
    const double begun = seconds_now();
    claim_following();
    while (!stopping() && !all_settled()) {
        do_what_was_asked();
        if (const std::optional<int> pair = next_pair()) {
            work_on(*pair);
            lists_.leave(*pair);
        } else {
            wait_until([&] { return !asked_.empty() || stopping() || all_settled(); });
        }
    }
    close();
    share_.waiting_seconds = std::max(0.0, seconds_now() - begun - share_.busy_seconds);
    share_.fate = !left_out_                  ? "finished"
                  : kernels::device_is_lost() ? "device lost"
                                              : "left out, its device fails";
}

/// The second round of messages reports the pairs of other ranks whose files this rank has written
/// after the first round.
void PairRun::close() {
    const auto receive = [this](int source, auto message) { this->receive(source, message); };
    closing_ = true;
    mail_.finish(receive, [this] { finish_whole_pairs(); });
    for (auto& [pair, mine] : owned_)
        if (stopped_ && !mine.is_given()) mine.keep();
    wait_until([&] { return finisher_.being_written() == 0; });
    for (const Ending& ending : at_last_) tell(ending);
    mail_.finish(receive);
    for (auto& [pair, mine] : owned_) mine.keep();  // no rank has finished them
}

/// The next pair that this rank has claimed, or else a pair of another rank that still has tiles.
std::optional<int> PairRun::next_pair() {
    if (claimed_) {
        lists_.enter(*claimed_);
        return claimed_;
    }
    const std::optional<int> pair = left_out_ ? std::nullopt : lists_.join();
    if (pair) preparer_.request(*pair);
    return pair;
}

/// Claims the next pair and starts to prepare it in the background.
void PairRun::claim_following() {
    claimed_ = lists_.claim();
    if (claimed_) preparer_.request(*claimed_);
}

void PairRun::work_on(int pair) {
    look_pause_.restart();
    const double asked = seconds_now();
    wait_until([&] { return preparer_.ready(); });
    const double waited = seconds_now() - asked;
    Prepared prepared;
    auto failure = attempt([&] { prepared = preparer_.take(); });
    if (claimed_ == pair) claim_following();
    searching_ = pair;
    if (!failure)
        failure = attempt([&] {
            if (OwnedPair* mine = owned(pair)) {
                mine->add_phases({{"wait for preparation", waited}});
                mine->begin(prepared);
                if (left_out_) mine->forget_preparation();
            }
            if (!left_out_) search(pair, prepared);
        });
    searching_.reset();
    if (failure) fail(pair, *failure);
    finish_whole_pairs();  // while the search still holds this pair
}

void PairRun::search(int pair, const Prepared& prepared) {
    const auto first = lists_.take(pair, 1);
    if (!first) return;
    PairTiles tiles(lists_, pair, *first, tiles_, server_.get());
    search(pair, prepared, tiles);
}

void PairRun::search(int pair, const Prepared& prepared, PairTiles& tiles) {
    wait_for_writer();
    io::RunRecord record;
    const auto device = record.time_phase("load", [&] { return load(pair, prepared, tiles); });
    share_.busy_seconds += record.phases.back().seconds;
    if (!device) return;
    DockWorkload on_device(*device, prepared->rotations, restraint_filter(*prepared));
    GuardedWorkload workload(on_device, device);
    TileSender sender(*this, tiles, pair, prepared->input_sha256);
    const auto run = record.time_phase("search", [&] {
        return run_tiles(workload, tiles, sender, {&settings_.stop, [this] { poll(); }});
    });
    share_.tiles_done += run.tiles_done;
    share_.busy_seconds += run.busy_seconds;
    share_.retries += std::ssize(run.retries);
    if (OwnedPair* mine = owned(pair)) mine->add_phases(record.phases);
    if (!tiles.fault()) return;
    // The device may have been lost while another pair was finished. This pair is not to blame
    // then.
    give_back({pair, rank_, *tiles.fault(), run.retries.back().detail.str(), tiles.returned(),
               !left_out_});
}

/// Loads the search into the device. Returns null if the device is lost; the tiles are given back
/// then.
std::shared_ptr<kernels::CorrelationSearch> PairRun::load(int pair, const Prepared& prepared,
                                                          const PairTiles& tiles) {
    std::shared_ptr<kernels::CorrelationSearch> device;
    try {
        guard_stage(Stage::load, [&] { device = device_.load(prepared); });
    } catch (const DeviceLost& lost) {
        give_back({pair, rank_, TileFault::device_lost, lost.what(), tiles.returned(), !left_out_});
        return nullptr;
    }
    return device;
}

/// Finishes this rank's pairs whose tiles have all arrived, and reports the pairs whose files are
/// written. The present pair waits until its search has ended.
void PairRun::finish_whole_pairs() {
    std::vector<int> whole;
    for (const auto& [pair, mine] : owned_)
        if (mine.is_whole() && pair != searching_) whole.push_back(pair);
    for (const int pair : whole) finish(pair);
    while (auto written = finisher_.next_written()) tell_written(std::move(*written));
}

void PairRun::finish(int pair) {
    OwnedPair& mine = owned_.at(pair);
    if (left_out_) return send_to_finish(pair);
    SearchedPair searched = mine.give();
    if (auto sorted = finish_on_device(pair, searched, mine.journal())) {
        finisher_.write(pair, std::move(searched), std::move(*sorted), mine.drop_tiles());
    } else if (left_out_) {
        note_lost_finishing({pair, rank_, TileFault::device_lost, *left_out_, {}});
        if (owned(pair)) send_to_finish(pair);
    }
}

/// Keeps few finished pairs in memory, because they hold their grids until they are written.
void PairRun::wait_for_writer() {
    wait_until([&] { return finisher_.being_written() <= pairs_being_written; });
}

/// Called between tiles and while waiting. Handles messages from other ranks and from the writer.
void PairRun::poll() {
    mail_.poll([this](int source, auto message) { receive(source, message); });
    finish_whole_pairs();
    show_progress();
}

void PairRun::show_progress() {
    if (rank_ != 0 || !settings_.progress) return;
    if (const double now = seconds_now(); now - last_progress_ > between_progress) {
        so_far_.tiles = lists_.tiles_taken();
        settings_.progress(so_far_);
        last_progress_ = now;
    }
}

void PairRun::wait_until(const std::function<bool()>& condition) {
    while (!condition()) {
        poll();
        std::this_thread::sleep_for(between_looks);
    }
}

bool PairRun::all_settled() {
    if (!all_settled_ && (!claimed_ || stopped_)) look_at_run();
    return all_settled_;
}

/// A signal that has reached this rank stops it at once. The other ranks learn of it by the stop
/// word of the run.
bool PairRun::stopping() {
    if (stopped_) return true;
    if (settings_.stop.load()) {
        lists_.stop();
        return stopped_ = true;
    }
    look_at_run();
    return stopped_;
}

/// Asks rank 0 how the run is doing, now and then.
void PairRun::look_at_run() {
    if (!look_pause_.is_due(seconds_now())) return;
    const mpi::TileLists::State state = lists_.state();
    stopped_ = stopped_ || state.stopped;
    all_settled_ = state.all_settled;
}

}  // namespace tessera::docking
