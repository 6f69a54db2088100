#include "cli/dock_pairs_run.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/dock_common.hpp"
#include "cli/guarded_workload.hpp"
#include "cli/resume.hpp"
#include "core/error.hpp"
#include "docking/dock_workload.hpp"
#include "docking/pairs/host_threads.hpp"
#include "docking/second_stage.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

namespace {

using kernels::PoseRecord;

constexpr double seconds_per_draw = 0.1;        ///< tiles of so much work are taken at once
constexpr double between_progress = 0.1;        ///< s
constexpr double between_stop_looks = 0.02;     ///< s
constexpr std::size_t pairs_being_written = 2;  ///< more than that, and the search waits
constexpr double seconds_until_journal = 10;    ///< what a stopped pair may lose
constexpr auto between_looks = std::chrono::microseconds(500);

/// Of all pairs, not of the one at hand.
class RunError : public Error {
  public:
    using Error::Error;
};

bool ends_the_run(const Error& error) {
    return error.code() == ExitCode::internal || dynamic_cast<const RunError*>(&error);
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Equal on all ranks: short enough that every rank finds several groups to claim.
std::vector<int> groups_of(const std::vector<const docking::DockPair*>& pairs, int ranks) {
    return docking::receptor_groups(pairs,
                                    std::max(1, static_cast<int>(pairs.size()) / (4 * ranks)));
}

}  // namespace

/// Tiles of one pair, a few at a time by how long they take.
class PairRun::Tiles {
  public:
    Tiles(PairRun& run, int pair, mpi::ListRange first) : run_(run), pair_(pair), range_(first) {}
    ~Tiles() { close_server(); }
    Tiles(const Tiles&) = delete;
    Tiles& operator=(const Tiles&) = delete;

    std::optional<Tile> next() {
        close_server();
        if (range_.size() == 0) {
            const double fit = seconds_ > 0 ? seconds_per_draw * done_ / seconds_ : 1;
            const auto draw = std::clamp<std::int64_t>(static_cast<std::int64_t>(fit), 1, 64);
            const auto range = run_.lists_.take(pair_, draw);
            if (!range) return std::nullopt;
            range_ = *range;
        }
        if (run_.server_) run_.server_->open();
        began_ = seconds_now();
        return run_.tiles_[static_cast<std::size_t>(range_.begin++)];
    }

    /// Seconds since next() handed out the present tile.
    double end_tile() {
        close_server();
        const double seconds = seconds_now() - began_;
        seconds_ += seconds;
        ++done_;
        return seconds;
    }

  private:
    /// This rank may call MPI itself again.
    void close_server() {
        if (run_.server_) run_.server_->close();
    }

    PairRun& run_;
    int pair_;
    mpi::ListRange range_;
    double began_ = 0, seconds_ = 0;
    int done_ = 0;
};

/// Sends every partial to the pair's owner.
class PairRun::Journal {
  public:
    Journal(PairRun& run, Tiles& tiles, int pair) : run_(run), tiles_(tiles), pair_(pair) {}

    bool contains(TileId tile) const { return run_.has_arrived(pair_, tile); }
    std::vector<TilePartial<PoseRecord>> restored() const { return {}; }
    void append(const TilePartial<PoseRecord>& partial) {
        run_.deliver(pair_, partial, tiles_.end_tile());
    }

  private:
    PairRun& run_;
    Tiles& tiles_;
    int pair_;
};

PairRun::PairRun(const mpi::Communicator& world, const PairRunSettings& settings,
                 const RankRecord& mine)
    : settings_(settings),
      world_(world),
      alone_(world.split(world.rank(), 0)),
      rank_(world.rank()),
      ranks_(world.allgather(mine)),
      tiles_(cut_into_tiles(static_cast<std::int64_t>(settings.rotations.bases.size()),
                            docking::bases_per_tile(settings.rotations))),
      lists_(world,
             std::vector<std::int64_t>(settings.pairs.size(),
                                       static_cast<std::int64_t>(tiles_.size())),
             groups_of(settings.pairs, world.size())),
      mail_(world),
      device_(settings.device.backend, settings.memory_budget),
      settled_(settings.pairs.size(), false),
      preparer_(settings.pairs, settings.rotations, settings.device.threads) {
    if (world.split_shared().size() < world.size() && rank_ == 0)
        server_ = std::make_unique<mpi::RequestServer>(world_);
}

void PairRun::run() {
    claim_next();
    while (!stopping()) {
        if (next_) {
            const int pair = *next_;
            lists_.enter(pair);
            work_on(pair);
            lists_.leave(pair);
        } else if (const auto pair = lists_.join()) {
            preparer_.request(*pair);
            work_on(*pair);
            lists_.leave(*pair);
        } else {
            break;
        }
    }
    wait_until([&] { return owned_.empty() || stopping(); });
    closing_ = true;
    mail_.finish([this](int source, auto message) { receive(source, message); },
                 [this] {
                     finish_whole_pairs();
                     collect_written();
                 });
    if (stopped_) keep_unfinished();
    wait_until([&] { return writing_.empty(); });
}

/// The next pair of this rank, prepared in the background from now on.
void PairRun::claim_next() {
    next_ = lists_.claim();
    if (next_) preparer_.request(*next_);
}

void PairRun::work_on(int pair) {
    const Prepared prepared = take_prepared(pair);
    if (next_ == pair) claim_next();
    if (!prepared) return;
    try {
        if (Owned* mine = owned(pair)) {
            mine->prepared = prepared;
            resume(pair);
        }
        search(pair, prepared);
    } catch (const Error& error) {
        if (ends_the_run(error)) throw;
        if (kernels::device_is_lost())
            throw RunError("'" + settings_.device.name + "' is lost", error.what(),
                           "start the same command again: finished pairs are kept",
                           ExitCode::requeue);
        fail(pair, error.what(), error.code());
    }
    finish_whole_pairs();  // before the search goes over to another
}

PairRun::Prepared PairRun::take_prepared(int pair) {
    const double start = seconds_now();
    wait_until([&] { return preparer_.ready(); });
    try {
        Prepared prepared = preparer_.take();
        if (Owned* mine = owned(pair))
            mine->record.phases.push_back({"wait for preparation", seconds_now() - start});
        return prepared;
    } catch (const Error& error) {
        fail(pair, error.what(), error.code());
        return nullptr;
    }
}

void PairRun::search(int pair, const Prepared& prepared) {
    const auto first = lists_.take(pair, 1);
    if (!first) return;
    wait_until([&] { return writing_.size() <= pairs_being_written; });
    io::RunRecord record;
    const auto device = record.time_phase("load", [&] { return device_.load(prepared); });
    docking::DockWorkload on_device(*device, prepared->rotations);
    GuardedWorkload workload(on_device, device);
    Tiles tiles(*this, pair, *first);
    Journal journal(*this, tiles, pair);
    const auto run = record.time_phase("search", [&] {
        return run_tiles(workload, tiles, journal, {&settings_.stop, [this] { poll(); }});
    });
    tiles_done_ += run.tiles_done;
    busy_seconds_ += run.busy_seconds;
    if (Owned* mine = owned(pair))
        mine->record.phases.insert(mine->record.phases.end(), record.phases.begin(),
                                   record.phases.end());
}

/// As far as this rank knows.
bool PairRun::has_arrived(int pair, TileId tile) {
    const Owned* mine = owned(pair);
    return mine && mine->tiles.contains(tile);
}

void PairRun::deliver(int pair, const TilePartial<PoseRecord>& partial, double seconds) {
    if (owns(pair)) return absorb(pair, rank_, partial, seconds);
    docking::PairMail mail{
        {docking::PairMail::Kind::partial, pair, partial.id.value, 0, {}, seconds},
        partial.records,
        ""};
    mail_.send(lists_.owner(pair), mail.packed());
}

void PairRun::absorb(int pair, int source, TilePartial<PoseRecord> partial, double seconds) {
    Owned* mine = owned(pair);
    if (!mine || !mine->tiles.insert(partial.id).second) return;  // failed, or known already
    mine->best.add(partial.records);
    mine->busy_seconds += seconds;
    const auto [rank, is_new] =
        mine->ranks.try_emplace(source, ranks_[static_cast<std::size_t>(source)]);
    ++rank->second.tiles_done;
    rank->second.busy_seconds += seconds;
    rank->second.fate = "finished";
    keep(pair, *mine, std::move(partial));
}

/// Goes on with what an earlier run has left of the pair.
void PairRun::resume(int pair) {
    std::error_code ignored;
    Owned& mine = *owned(pair);
    if (mine.journal ||
        !std::filesystem::exists(settings_.outputs.path(pair_at(pair)) + ".partial", ignored))
        return;
    open_journal(pair, mine);
    for (const TilePartial<PoseRecord>& partial : mine.journal->restored()) {
        if (!mine.tiles.insert(partial.id).second) continue;
        mine.best.add(partial.records);
        ++mine.record.tiles_resumed;
    }
    mine.record.resumed_devices = mine.journal->resumed_devices();
}

/// Seconds of work are not worth the disk's: a pair has a journal when it takes longer.
void PairRun::keep(int pair, Owned& owned, TilePartial<PoseRecord> partial) {
    try {
        if (owned.journal) return owned.journal->append(partial);
        owned.held.push_back(std::move(partial));
        if (owned.busy_seconds > seconds_until_journal && owned.prepared) open_journal(pair, owned);
    } catch (const Error& error) {
        throw RunError(FinishedLine{error.what()}, error.code());
    }
}

/// What has arrived by now goes first.
void PairRun::open_journal(int pair, Owned& owned) {
    owned.journal = std::make_unique<DiskJournal<PoseRecord>>(
        alone_, journal_request(settings_.outputs.path(pair_at(pair)), "dock",
                                hash_with_rotations(*owned.prepared),
                                static_cast<std::int64_t>(tiles_.size()), settings_.device,
                                settings_.outputs.force));
    for (const TilePartial<PoseRecord>& partial : owned.held) owned.journal->append(partial);
    owned.held.clear();
}

/// At a stop: what has arrived of unfinished pairs is brought to the disk.
void PairRun::keep_unfinished() {
    for (auto& [pair, mine] : owned_) {
        if (!mine.journal && mine.prepared && !mine.held.empty()) open_journal(pair, mine);
        if (mine.journal) mine.journal->close(true);
    }
}

void PairRun::finish_whole_pairs() {
    std::vector<int> whole;
    for (const auto& [pair, mine] : owned_)
        if (mine.prepared && mine.tiles.size() == tiles_.size()) whole.push_back(pair);
    for (const int pair : whole) {
        try {
            finish(pair, *owned(pair));
        } catch (const Error& error) {
            if (ends_the_run(error)) throw;
            fail(pair, error.what(), error.code());
        }
    }
}

/// What the device must do for the ranking, here; the rest in the background.
void PairRun::finish(int pair, Owned& owned) {
    const docking::DockInput& input = pair_at(pair).input;
    docking::RankedPoses ranked;
    ranked.lists = owned.record.time_phase(
        "rank", [&] { return device_.rank(*owned.prepared, input.sets, owned.best); });
    ranked.consensus = owned.record.time_phase("refine", [&] {
        return docking::second_stage(settings_.device.backend, input, *owned.prepared,
                                     ranked.lists);
    });
    write_in_background(pair, owned, std::move(ranked));
}

/// Takes the preparation away, so that the pair is not finished twice.
void PairRun::write_in_background(int pair, Owned& owned, docking::RankedPoses ranked) {
    io::RunRecord record = settings_.record;
    record.phases = owned.record.phases;
    record.tiles_resumed = owned.record.tiles_resumed;
    record.resumed_devices = owned.record.resumed_devices;
    if (owned.journal) owned.journal->close(false);
    owned.held.clear();
    for (const auto& [rank, entry] : owned.ranks) record.ranks.push_back(entry);
    record.tiles_total = static_cast<std::int64_t>(tiles_.size());
    writing_.push_back(
        {pair, writer_.run([this, pair, ranked = std::move(ranked), record = std::move(record),
                            prepared = std::move(owned.prepared),
                            journal = std::shared_ptr<DiskJournal<PoseRecord>>(
                                std::move(owned.journal))]() mutable {
             docking::use_threads(settings_.device.threads);
             auto row = docking::write_pair(settings_.outputs, pair_at(pair), *prepared,
                                            std::move(ranked), std::move(record));
             if (journal) journal->remove();
             return row;
         })});
}

void PairRun::collect_written() {
    while (!writing_.empty() &&
           writing_.front().row.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        Writing written = std::move(writing_.front());
        writing_.pop_front();
        try {
            settle({written.pair, false, "", {}, written.row.get()});
        } catch (const Error& error) {
            if (error.code() == ExitCode::resources)  // the disk: no other pair would fare better
                throw RunError(FinishedLine{error.what()}, error.code());
            settle({written.pair, true, error.what(), error.code(), ""});
        }
    }
}

void PairRun::fail(int pair, const std::string& reason, ExitCode code) {
    lists_.close(pair);
    if (owns(pair)) return settle({pair, true, reason, code, ""});
    mail_.send(
        lists_.owner(pair),
        docking::PairMail{{docking::PairMail::Kind::failure, pair, 0, 1, code, 0}, {}, reason}
            .packed());
}

void PairRun::settle(PairOutcome outcome) {
    const auto at = static_cast<std::size_t>(outcome.pair);
    if (settled_[at]) return;  // it has failed before
    settled_[at] = true;
    owned_.erase(outcome.pair);
    if (rank_ == 0) {
        note_settled(outcome);
    } else if (!closing_) {
        const docking::PairMail mail{{docking::PairMail::Kind::settled, outcome.pair, 0,
                                      outcome.failed ? 1 : 0, outcome.code, 0},
                                     {},
                                     outcome.reason};
        mail_.send(0, mail.packed());
    }
    outcomes_.push_back(std::move(outcome));
}

void PairRun::note_settled(const PairOutcome& outcome) {
    ++pairs_settled_;
    if (outcome.failed && settings_.failure)
        settings_.failure(pair_at(outcome.pair), outcome.reason);
}

void PairRun::receive(int source, std::span<const std::byte> message) {
    docking::PairMail mail = docking::PairMail::unpacked(message);
    const int pair = static_cast<int>(mail.header.pair);
    switch (mail.header.kind) {
        case docking::PairMail::Kind::partial:
            absorb(pair, source, {{mail.header.tile}, std::move(mail.records)},
                   mail.header.seconds);
            break;
        case docking::PairMail::Kind::failure:
            settle({pair, true, mail.text, mail.header.code, ""});
            break;
        case docking::PairMail::Kind::settled:
            note_settled({pair, mail.header.failed != 0, mail.text, mail.header.code, ""});
            break;
    }
}

/// Between tiles and while waiting: takes in what has arrived, from ranks and from the writer.
void PairRun::poll() {
    mail_.poll([this](int source, auto message) { receive(source, message); });
    finish_whole_pairs();
    collect_written();
    if (rank_ != 0 || !settings_.progress) return;
    if (const double now = seconds_now(); now - last_progress_ > between_progress) {
        settings_.progress(lists_.tiles_taken(), pairs_settled_);
        last_progress_ = now;
    }
}

void PairRun::wait_until(const std::function<bool()>& condition) {
    while (!condition()) {
        poll();
        std::this_thread::sleep_for(between_looks);
    }
}

bool PairRun::stopping() {
    if (stopped_) return true;
    if (settings_.stop.load()) lists_.stop();
    if (const double now = seconds_now(); now - last_stop_look_ > between_stop_looks) {
        stopped_ = lists_.stopped();
        last_stop_look_ = now;
    }
    return stopped_;
}

PairRun::Owned* PairRun::owned(int pair) {
    if (!owns(pair) || settled_[static_cast<std::size_t>(pair)]) return nullptr;
    return &owned_.try_emplace(pair, pair_at(pair).input).first->second;
}

}  // namespace tessera::cli
