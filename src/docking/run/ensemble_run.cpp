#include "docking/run/ensemble_run.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/error.hpp"
#include "docking/result/ensemble_poses.hpp"
#include "docking/run/search_stage.hpp"
#include "engine/run_notes.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"

namespace tessera::docking {

namespace {

using kernels::PoseRecord;

/// The tiles of one pair in the journal of the run.
class PairJournal {
  public:
    PairJournal(DiskJournal<PoseRecord>& journal, std::int64_t first, std::int64_t tiles,
                std::vector<TilePartial<PoseRecord>> stored)
        : journal_(journal), first_(first), tiles_(tiles), stored_(std::move(stored)) {}

    bool contains(TileId id) const { return journal_.contains({first_ + id.value}); }
    std::int64_t tiles_resumed() const {
        std::int64_t count = 0;
        for (std::int64_t tile = 0; tile < tiles_; ++tile) count += contains({tile}) ? 1 : 0;
        return count;
    }
    void append(const TilePartial<PoseRecord>& partial) {
        journal_.append({{first_ + partial.id.value}, partial.records});
    }
    std::vector<TilePartial<PoseRecord>> restored() { return std::exchange(stored_, {}); }
    void close(bool to_disk) { journal_.close(to_disk); }

  private:
    DiskJournal<PoseRecord>& journal_;
    std::int64_t first_, tiles_;
    std::vector<TilePartial<PoseRecord>> stored_;
};

/// Adds up what the record says of each pair.
class Totals {
  public:
    void add(const io::RunRecord& record) {
        if (ranks_.empty())
            ranks_ = record.ranks;
        else
            for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
                add(ranks_[rank], record.ranks.at(rank));
        for (RetryRecord retry : record.retries) {
            retry.tile += tiles_;
            retries_.push_back(retry);
        }
        tiles_ += record.tiles_total;
        resumed_ += record.tiles_resumed;
    }

    void write(io::RunRecord& record) const {
        record.ranks = ranks_;
        record.retries = retries_;
        record.tiles_total = tiles_;
        record.tiles_resumed = resumed_;
    }

  private:
    static void add(RankRecord& sum, const RankRecord& more) {
        sum.tiles_done += more.tiles_done;
        sum.busy_seconds += more.busy_seconds;
        sum.retries += more.retries;
        sum.waiting_seconds += more.waiting_seconds;
        sum.fate = more.fate;
    }

    std::vector<RankRecord> ranks_;
    std::vector<RetryRecord> retries_;
    std::int64_t tiles_ = 0, resumed_ = 0;
};

/// Docks one pair after another.
class EnsembleDocking {
  public:
    EnsembleDocking(const mpi::Communicator& ranks, const EnsembleRun& run,
                    DiskJournal<PoseRecord>& journal, io::RunRecord& record)
        : ranks_(ranks),
          run_(run),
          journal_(journal),
          record_(record),
          tiles_(std::ssize(tiles_of(run.first.rotations))),
          stored_(journal.restored()) {
        ranks_.together([&] {
            if (ranks_.is_root()) poses_.emplace(run_.input, run_.first);
        });
    }

    void dock(std::size_t number) {
        if (number > 0) prepare_pair(number);
        const PreparedDocking& pair = number == 0 ? run_.first : *pair_;
        const SearchRun one{run_.input,  pair,      run_.device,
                            run_.search, run_.stop, run_.schedule.deadline,
                            run_.quiet};
        PairJournal journal(journal_, static_cast<std::int64_t>(number) * tiles_, tiles_,
                            stored_of(number));
        mpi::NodeTileIterator tiles(ranks_, tiles_of(pair.rotations), run_.schedule);
        const auto found = search_tiles(ranks_, one, tiles, journal, record_);
        const std::vector<PoseList> lists = sort_where_able(ranks_, one, found, record_);
        RefinedLists refined = refine(one, number, lists);
        engine::note_devices_lost_since(ranks_, found, "device lost in the refinement", record_);
        totals_.add(record_);
        ranks_.together([&] {
            if (ranks_.is_root())
                poses_->add(pair, static_cast<std::int64_t>(number), lists,
                            std::move(refined.candidates), refined.refined);
        });
    }

    SortedPoses finish() {
        SortedPoses sorted;
        ranks_.together([&] {
            if (ranks_.is_root())
                sorted = record_.time_phase("join", [&] { return poses_->finish(); });
        });
        totals_.write(record_);
        return sorted;
    }

  private:
    /// Collective. Makes the pair's grids and loads them on the device. A rank whose device is lost
    /// already keeps the search of a former pair, and computes nothing.
    void prepare_pair(std::size_t number) {
        const Combination pair = run_.first.ensemble.combination(number);
        engine::say(ranks_.is_root() && !run_.quiet,
                    fmt::format("conformers {} of {}: receptor {}, ligand {}", number + 1,
                                run_.first.ensemble.combinations(), pair.receptor + 1,
                                pair.ligand + 1));
        const auto load = [&] {
            run_.search.reset();
            run_.search = kernels::kept_if_lost(kernels::make_correlation_search(
                run_.device.backend, pair_->problem,
                kernels::memory_budget(run_.device.backend, run_.device.available_bytes,
                                       run_.memory_gib)));
        };
        ranks_.together([&] {
            pair_ = record_.time_phase("prepare", [&] {
                return prepare_member(run_.input, run_.first, number,
                                      pair_ ? &*pair_ : &run_.first);
            });
            record_.time_phase("start device", [&] {
                try_on_device(Stage::load, "the search of a pair of conformers", load);
            });
            if (!run_.search)
                throw Error("the search of a pair of conformers failed", "the device is lost",
                            "start the same command again, it keeps the finished tiles",
                            ExitCode::resources);
        });
    }

    /// Collective. Restraints or a membrane may have left no pose of this pair of conformers.
    RefinedLists refine(const SearchRun& one, std::size_t number,
                        const std::vector<PoseList>& lists) {
        const bool some = ranks_.allreduce_max(has_poses(lists) ? 1 : 0) > 0;
        if (run_.input.consensus.refine == 0 || !some) return {};
        return watch_refinement(ranks_, one, journal_, record_, [&](RefinementRun refinement) {
            refinement.of = fmt::format(" conformers {}", number);
            return refine_lists(ranks_, run_.device.backend, run_.input, one.prepared, lists,
                                refinement);
        });
    }

    /// The partials of a pair that an earlier attempt has left, with the numbers of its own tiles.
    std::vector<TilePartial<PoseRecord>> stored_of(std::size_t number) {
        const std::int64_t first = static_cast<std::int64_t>(number) * tiles_;
        std::vector<TilePartial<PoseRecord>> mine;
        for (auto& partial : stored_)
            if (partial.id.value >= first && partial.id.value < first + tiles_)
                mine.push_back({{partial.id.value - first}, std::move(partial.records)});
        return mine;
    }

    const mpi::Communicator& ranks_;
    const EnsembleRun& run_;
    DiskJournal<PoseRecord>& journal_;
    io::RunRecord& record_;
    std::int64_t tiles_;  ///< of a pair
    std::vector<TilePartial<PoseRecord>> stored_;
    std::optional<EnsemblePoses> poses_;  ///< on rank 0
    std::optional<PreparedDocking> pair_;
    Totals totals_;
};

}  // namespace

SortedPoses dock_ensemble(const mpi::Communicator& ranks, const EnsembleRun& run,
                          DiskJournal<PoseRecord>& journal, io::RunRecord& record) {
    EnsembleDocking docking(ranks, run, journal, record);
    for (std::size_t number = 0; number < run.first.ensemble.combinations(); ++number)
        docking.dock(number);
    record.resumed_devices = journal.resumed_devices();
    ranks.together([&] { journal.close(false); });
    return docking.finish();
}

}  // namespace tessera::docking
