#include "tile_journal.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/fixed_string.hpp"
#include "io/one_line.hpp"
#include "io/result_file.hpp"
#include "io/whole_file.hpp"

namespace tessera {

namespace {

namespace fs = std::filesystem;

/// What a record begins with. The first record of every journal has no tile but, as its payload, the
/// kind of device that computed the others, and as its attachment the machine.
struct TileHeader {
    static constexpr std::int64_t origin = -1;
    std::int64_t id = 0;
    std::uint64_t payload_bytes = 0;
    RunPhase phase = RunPhase::main;
};

/// Whose tiles the rest of a journal has.
struct Origin {
    std::string device, machine;
};

/// A record taken apart; the views live as long as the record.
struct TileEntry {
    TileHeader header;
    io::Record payload, attachment;
    bool synced = false;
};

std::string text_of(io::Record bytes) {
    return io::one_line(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// Place of a journal among those of its run.
struct JournalName {
    std::int64_t attempt = 0, rank = 0;
    auto operator<=>(const JournalName&) const = default;
    std::string text() const {
        return "tiles-" + std::to_string(attempt) + "-" + std::to_string(rank);
    }
};

/// In the order in which they count.
std::vector<JournalName> journals_in(const std::string& folder) {
    std::vector<JournalName> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        long long attempt = 0, rank = 0;
        const std::string text = entry.path().filename().string();
        if (std::sscanf(text.c_str(), "tiles-%lld-%lld", &attempt, &rank) != 2) continue;
        const JournalName name{attempt, rank};
        if (name.text() == text) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

std::int64_t last_attempt(const std::string& folder) {
    std::int64_t last = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        long long attempt = 0;
        const std::string text = entry.path().filename().string();
        if (std::sscanf(text.c_str(), "attempt-%lld", &attempt) == 1 ||
            std::sscanf(text.c_str(), "tiles-%lld", &attempt) == 1)
            last = std::max<std::int64_t>(last, attempt);
    }
    return last;
}

/// Every tile of every journal of the folder, of all phases; `receive(origin, entry)`.
template <class Receive>
void read_tiles(const std::string& folder, std::int64_t tiles_total, Receive&& receive) {
    for (const JournalName& name : journals_in(folder)) {
        Origin origin;
        io::read_journal_synced(folder + "/" + name.text(), [&](io::Record record, bool synced) {
            TileEntry entry;
            if (record.size() < sizeof(TileHeader)) return;
            std::memcpy(&entry.header, record.data(), sizeof(TileHeader));
            const io::Record rest = record.subspan(sizeof(TileHeader));
            if (entry.header.payload_bytes > rest.size()) return;
            entry.payload = rest.first(entry.header.payload_bytes);
            entry.attachment = rest.subspan(entry.header.payload_bytes);
            entry.synced = synced;
            if (entry.header.id == TileHeader::origin)
                origin = {text_of(entry.payload), text_of(entry.attachment)};
            else if (entry.header.id >= 0 &&
                     (entry.header.phase != RunPhase::main || entry.header.id < tiles_total))
                receive(origin, entry);
        });
    }
}

double seconds_since_change(const fs::path& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return 0;
    const auto changed = std::chrono::seconds(status.st_mtim.tv_sec) +
                         std::chrono::nanoseconds(status.st_mtim.tv_nsec);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::max(0.0, std::chrono::duration<double>(now - changed).count());
}

std::string counts_text(const std::map<std::string, std::int64_t>& counts) {
    std::string text;
    for (const auto& [name, count] : counts)
        text += (text.empty() ? "" : "; ") + name + ": " + std::to_string(count) + " tile" +
                (count == 1 ? "" : "s");
    return text;
}

}  // namespace

std::string this_machine() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string name;
    std::getline(file, name);
    return name;
}

TileFiles::TileFiles(const mpi::Communicator& world, JournalRequest request)
    : world_(world), request_(std::move(request)), path_(request_.output + ".partial") {
    using Name = FixedString<96>;
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
        if (folder_ && known_.empty() && journals_in(path_).empty()) folder_->remove();
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
    read_tiles(path_, request_.identity.tiles_total, store);
    std::ranges::stable_sort(stored_, {}, &StoredTile::id);
    std::ranges::stable_sort(stored_later_, {}, &StoredTile::id);
    begin_attempt();
}

/// A number that no earlier attempt has, whether it came to finish a tile or not: what is left of
/// it may still be writing.
void TileFiles::begin_attempt() {
    attempt_ = last_attempt(path_) + 1;
    io::WholeFile note(folder_->file("attempt-" + std::to_string(attempt_)));
    note.write(nlohmann::json{{"ranks", world_.size()}}.dump() + "\n");
    note.commit();
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
                    std::to_string(request_.identity.tiles_total) + " tiles done before");
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
    std::vector<StoredTile> mine = std::move(stored_later_);
    stored_later_.clear();
    std::erase_if(mine, [&](const StoredTile& tile) {
        return tile.phase != phase || tile.made_of != made_of;
    });
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
        const std::string name = JournalName{attempt_, world_.rank()}.text();
        writer_ = std::make_unique<io::JournalWriter>(file(name), before_sync_);
        write({TileHeader::origin, request_.device.size()},
              std::as_bytes(std::span(request_.device)),
              std::as_bytes(std::span(request_.machine)));
    }
    write({id.value, payload.size(), phase}, payload, attachment);
}

void TileFiles::close(bool to_disk) {
    if (writer_) writer_->close(to_disk);
    writer_.reset();
}

void TileFiles::read_attachments(const std::function<void(TileId, io::Record)>& receive) const {
    std::set<std::int64_t> seen;
    read_tiles(path_, request_.identity.tiles_total, [&](const Origin&, const TileEntry& entry) {
        if (entry.header.phase == RunPhase::main && seen.insert(entry.header.id).second)
            receive({entry.header.id}, entry.attachment);
    });
}

void TileFiles::remove() {
    if (folder_) folder_->remove();
}

RunProgress read_run_progress(const std::string& folder) {
    RunProgress progress;
    progress.identity = io::read_run_identity(folder);
    progress.holder = io::holder_of(folder);
    progress.attempts = last_attempt(folder);
    std::ifstream note(folder + "/attempt-" + std::to_string(progress.attempts));
    const auto json = nlohmann::json::parse(note, nullptr, false);
    if (json.is_object() && json.contains("ranks") && json["ranks"].is_number_integer())
        progress.ranks = json["ranks"].get<std::int64_t>();
    std::set<std::int64_t> seen, refined;
    read_tiles(folder, progress.identity.tiles_total,
               [&](const Origin& origin, const TileEntry& entry) {
                   if (entry.header.phase == RunPhase::refinement)
                       refined.insert(entry.header.id);
                   else if (seen.insert(entry.header.id).second)
                       ++progress.devices[origin.device];
               });
    progress.tiles_done = static_cast<std::int64_t>(seen.size());
    progress.tiles_refined = static_cast<std::int64_t>(refined.size());
    if (progress.identity.workload == "fit")
        io::read_journal(folder + "/evaluations", [&](io::Record) { ++progress.tiles_done; });
    progress.age_seconds = seconds_since_change(folder + "/run");
    progress.quiet_seconds = progress.age_seconds;
    for (const auto& entry : fs::directory_iterator(folder))
        progress.quiet_seconds =
            std::min(progress.quiet_seconds, seconds_since_change(entry.path()));
    return progress;
}

}  // namespace tessera
