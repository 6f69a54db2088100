#include "docking/pairs/owned_pair.hpp"

#include <filesystem>
#include <string>
#include <utility>

#include "docking/run/search_run.hpp"
#include "engine/agreement.hpp"
#include "engine/resume.hpp"
#include "engine/run_notes.hpp"

namespace tessera::docking {

using kernels::PoseRecord;

namespace {

constexpr double seconds_until_journal = 10;  ///< seconds of work that a stopped pair may lose

/// The journal's communicator holds this rank alone, so no other rank learns of its errors. A
/// RunError ends the run on all ranks.
template <class Work>
void as_error_of_the_run(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        throw RunError(FinishedLine{error.what()}, error.code());
    }
}

}  // namespace

OwnedPair::OwnedPair(const PairRunSettings& settings, DockPair pair, std::int64_t tiles,
                     const mpi::Communicator& alone)
    : settings_(settings),
      pair_(std::move(pair)),
      tiles_(tiles),
      alone_(alone),
      best_(pair_.input.sets.size(), pair_.input.poses_sorted()),
      record_(settings.record) {}

void OwnedPair::begin(std::shared_ptr<const PreparedDocking> prepared) {
    require_same_input(engine::rank_record(settings_.device).host.str(), prepared->input_sha256);
    run_hash_ = hash_with_rotations(*prepared);
    prepared_ = std::move(prepared);
    std::error_code ignored;
    if (journal_ || !std::filesystem::exists(settings_.outputs.path(pair_) + ".partial", ignored))
        return;
    open_journal();
    for (const TilePartial<PoseRecord>& partial : journal_->restored()) {
        if (!arrived_.insert(partial.id).second) continue;
        best_.add(partial.records);
        ++record_.tiles_resumed;
    }
    record_.resumed_devices = journal_->resumed_devices();
}

void OwnedPair::absorb(TilePartial<PoseRecord> partial, double seconds, int source,
                       const RankRecord& rank, const std::string& input_sha256) {
    require_same_input(rank.host.str(), input_sha256);
    if (!arrived_.insert(partial.id).second) return;
    best_.add(partial.records);
    busy_seconds_ += seconds;
    const auto [entry, is_new] = ranks_.try_emplace(source, rank);
    if (is_new) entry->second.fate = "finished";
    ++entry->second.tiles_done;
    entry->second.busy_seconds += seconds;
    for (RetryRecord& retry : record_.retries)
        if (retry.tile == partial.id.value)
            retry.outcome = "handed on, done by rank " + std::to_string(source);
    write_down(std::move(partial));
}

void OwnedPair::require_same_input(const std::string& host, const std::string& input_sha256) {
    if (input_sha256_.empty()) {
        input_sha256_ = input_sha256;
        input_host_ = host;
    }
    if (input_sha256 != input_sha256_)
        throw Error("ranks on " + input_host_ + " and " + host + " have read different files",
                    "their contents differ", "make sure that all nodes read the same files");
}

void OwnedPair::add_phases(const std::vector<PhaseRecord>& phases) {
    record_.phases.insert(record_.phases.end(), phases.begin(), phases.end());
}

SearchedPair OwnedPair::give() {
    given_ = true;
    io::RunRecord record = record_;
    for (const auto& [rank, entry] : ranks_) record.ranks.push_back(entry);
    record.tiles_total = tiles_;
    return {prepared_, best_, std::move(record)};
}

std::shared_ptr<DiskJournal<PoseRecord>> OwnedPair::drop_tiles() {
    held_.clear();
    if (journal_) journal_->close(false);
    return std::move(journal_);
}

void OwnedPair::keep() {
    as_error_of_the_run([&] {
        if (!journal_ && !run_hash_.empty() && !held_.empty()) open_journal();
        if (journal_) journal_->close(true);
    });
}

void OwnedPair::write_down(TilePartial<PoseRecord> partial) {
    as_error_of_the_run([&] {
        if (journal_) return journal_->append(partial);
        held_.push_back(std::move(partial));
        if (busy_seconds_ > seconds_until_journal && !run_hash_.empty()) open_journal();
    });
}

/// Opens the journal and writes the tiles that have arrived so far.
void OwnedPair::open_journal() {
    journal_ = std::make_unique<DiskJournal<PoseRecord>>(
        alone_, engine::journal_request(settings_.outputs.path(pair_),
                                        {"dock", run_hash_, engine::program_build(), tiles_},
                                        settings_.device, settings_.outputs.force));
    for (const TilePartial<PoseRecord>& partial : held_) journal_->append(partial);
    held_.clear();
}

}  // namespace tessera::docking
