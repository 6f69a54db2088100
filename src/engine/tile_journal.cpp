#include "engine/tile_journal.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "core/fixed_string.hpp"
#include "core/run_host.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/journal/folder_lock.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera {

namespace {

namespace fs = std::filesystem;

std::string text_of(io::Record bytes) {
    return io::one_line(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

double seconds_since_change(const fs::path& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return 0;
    const auto changed = std::chrono::seconds(status.st_mtim.tv_sec) +
                         std::chrono::nanoseconds(status.st_mtim.tv_nsec);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::max(0.0, std::chrono::duration<double>(now - changed).count());
}

}  // namespace

std::string start_of_machine() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string name;
    std::getline(file, name);
    return name;
}

TileFiles::TileFiles(const mpi::Communicator& world, JournalRequest request)
    : world_(world), request_(std::move(request)), path_(request_.output + ".partial") {
    using Name = FixedString<192>;
    request_.device = kept_name(request_.device);
    request_.machine = kept_name(request_.machine);
    for (const Name& device : world_.gather(std::vector{Name(request_.device)}))
        devices_.insert(device.str());
    for (const Name& machine : world_.gather(std::vector{Name(request_.machine)}))
        machines_.insert(machine.str());
    world_.together([&] {
        if (world_.is_root()) open_folder();
    });
    world_.broadcast(attempt_);
    world_.broadcast(resumed_);
    share_known();
}

TileFiles::~TileFiles() {
    writer_.reset();
    try {
        if (folder_ && known_.empty() && attempts_ && !attempts_->any_journal()) folder_->remove();
    } catch (const fs::filesystem_error&) {
        // An empty folder is left, no harm done.
    }
}

void TileFiles::open_folder() {
    folder_ = std::make_unique<io::PartialFolder>(
        request_.output, request_.identity, request_.force, io::lock_patience(), request_.stop);
    resumed_ = folder_->resumed();
    try {
        // Whoever held the folder until now may have finished this very run.
        io::check_output_path(request_.output, request_.force);
    } catch (const Error&) {
        if (!resumed_) folder_->remove();
        throw;
    }
    const auto store = [&](const Origin& origin, const TileEntry& entry) {
        const bool is_main = entry.header.phase == RunPhase::main;
        (is_main ? stored_ : stored_later_)
            .push_back(
                {entry.header.phase,
                 {entry.header.id},
                 origin.device,
                 {entry.payload.begin(), entry.payload.end()},
                 entry.synced || (!origin.machine.empty() && machines_.contains(origin.machine)),
                 is_main ? "" : text_of(entry.attachment)});
    };
    attempts_.emplace(path_, request_.identity);
    attempts_->read_tiles(store);
    std::ranges::stable_sort(stored_, {}, &StoredTile::id);
    std::ranges::stable_sort(stored_later_, {}, &StoredTile::id);
    // A number that no earlier attempt has, whether it came to finish a tile or not: what is left
    // of it may still be writing.
    attempts_->begin(world_.size());
    attempt_ = attempts_->last();
}

/// Collective.
void TileFiles::share_known() {
    std::vector<TileId> ids;
    resumed_devices_.clear();
    for (const StoredTile& tile : stored_) {
        if (!ids.empty() && ids.back() == tile.id) continue;
        ids.push_back(tile.id);
        ++resumed_devices_[tile.device];
    }
    world_.broadcast(ids);
    known_ = std::set<TileId>(ids.begin(), ids.end());
}

void TileFiles::forget_uncertain() {
    std::erase_if(stored_, [](const StoredTile& tile) { return !tile.certain; });
    share_known();
}

std::vector<std::string> TileFiles::messages() const {
    std::vector<std::string> lines;
    if (known_.empty()) return lines;
    lines.push_back("goes on after " + std::to_string(known_.size()) + " of " +
                    io::counted(request_.identity.tiles_total, "tile") + " done before");
    for (const auto& [kind, count] : resumed_devices_)
        if (!devices_.contains(kind)) {
            lines.push_back("note: tiles done before are of another kind of device (" +
                            resumed_devices() + "): last bits may differ between kinds");
            break;
        }
    return lines;
}

std::string TileFiles::resumed_devices() const { return counts_text(resumed_devices_); }

std::vector<StoredTile> TileFiles::take_phase(RunPhase phase, const std::string& made_of,
                                              std::set<TileId>& ids) {
    // The others may be those of a phase to come.
    const auto others = std::ranges::stable_partition(stored_later_, [&](const StoredTile& tile) {
                            return tile.phase == phase && tile.made_of == made_of;
                        }).begin();
    std::vector<StoredTile> mine(std::make_move_iterator(stored_later_.begin()),
                                 std::make_move_iterator(others));
    stored_later_.erase(stored_later_.begin(), others);
    std::vector<TileId> known;
    for (const StoredTile& tile : mine) {
        if (!known.empty() && known.back() == tile.id) continue;
        known.push_back(tile.id);
        ++resumed_devices_[tile.device + (phase == RunPhase::refinement ? ", refinement" : "")];
    }
    world_.broadcast(known);
    ids = std::set<TileId>(known.begin(), known.end());
    return mine;
}

void TileFiles::append_bytes(TileId id, io::Record payload, io::Record attachment, RunPhase phase) {
    const auto write = [&](TileHeader header, io::Record bytes, io::Record more) {
        const std::array pieces{std::as_bytes(std::span(&header, 1)), bytes, more};
        writer_->append(pieces);
    };
    if (!writer_) {
        writer_ =
            std::make_unique<io::JournalWriter>(tile_journal_path(path_, attempt_, world_.rank()),
                                                key(), io::JournalStart::anew, before_sync_);
        write({TileHeader::origin, request_.device.size()},
              std::as_bytes(std::span(request_.device)),
              std::as_bytes(std::span(request_.machine)));
    }
    write({id.value, payload.size(), phase}, payload, attachment);
    checkpoint_for_run_host([&] { writer_->sync(); });
}

void TileFiles::close(bool to_disk) {
    if (writer_) writer_->close(to_disk);
    writer_.reset();
}

void TileFiles::read_attachments(const std::function<void(TileId, io::Record)>& receive) const {
    std::set<std::int64_t> seen;
    const auto take = [&](const Origin&, const TileEntry& entry) {
        if (entry.header.phase == RunPhase::main && seen.insert(entry.header.id).second)
            receive({entry.header.id}, entry.attachment);
    };
    attempts_->read_tiles(take, attempt_);
    require_all(seen);
}

/// The result takes what it holds from the journals: a tile that is in none would read as zeros.
void TileFiles::require_all(const std::set<std::int64_t>& tiles) const {
    const std::int64_t total = request_.identity.tiles_total;
    if (std::ssize(tiles) == total) return;
    std::int64_t missing = 0;
    while (tiles.contains(missing)) ++missing;
    throw Error("the result cannot be finished",
                std::to_string(total - std::ssize(tiles)) + " of " +
                    io::counted(total, "finished tile") + ", tile " + std::to_string(missing) +
                    " first, are in no journal of '" + path_ + "' any more",
                "start the same command again, it computes them anew", ExitCode::resources);
}

void TileFiles::remove() {
    if (!folder_) return;
    attempts_->remove_journals();
    folder_->remove();
}

RunProgress read_run_progress(const std::string& folder) {
    RunProgress progress;
    progress.identity = io::read_run_identity(folder);
    progress.holder = io::holder_of(folder);
    const RunAttempts attempts(folder, progress.identity);
    progress.attempts = attempts.last();
    progress.ranks = attempts.ranks();
    std::set<std::int64_t> seen, refined;
    attempts.read_tiles([&](const Origin& origin, const TileEntry& entry) {
        if (entry.header.phase == RunPhase::refinement)
            refined.insert(entry.header.id);
        else if (seen.insert(entry.header.id).second)
            ++progress.devices[origin.device];
    });
    progress.tiles_done = static_cast<std::int64_t>(seen.size());
    progress.tiles_refined = static_cast<std::int64_t>(refined.size());
    if (counts_batches(progress.identity.workload))
        for (const char* journal : {"/evaluations", "/search"})
            io::read_journal(folder + journal, progress.identity.key(),
                             [&](io::Record, bool) { ++progress.tiles_done; });
    progress.age_seconds = seconds_since_change(folder + "/run");
    progress.quiet_seconds = progress.age_seconds;
    for (const auto& entry : fs::directory_iterator(folder))
        progress.quiet_seconds =
            std::min(progress.quiet_seconds, seconds_since_change(entry.path()));
    return progress;
}

}  // namespace tessera
