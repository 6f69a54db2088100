#include "engine/tile_records.hpp"

#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "io/journal/journal.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"

namespace tessera {

namespace {

namespace fs = std::filesystem;

/// More than any machine starts: what claims more would be looked for in as many files.
constexpr std::int64_t most_ranks = 10'000'000;

Error damaged(const std::string& path) {
    return Error("cannot use the journal '" + path + "'", "a record of it is damaged",
                 "check the disk and start the same command again", ExitCode::resources);
}

std::string name_in_record(io::Record bytes) {
    return kept_name(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

TileEntry take_apart(io::Record record, bool synced, const std::string& path) {
    TileEntry entry;
    if (record.size() < sizeof(TileHeader)) throw damaged(path);
    std::memcpy(&entry.header, record.data(), sizeof(TileHeader));
    const io::Record rest = record.subspan(sizeof(TileHeader));
    if (entry.header.payload_bytes > rest.size()) throw damaged(path);
    entry.payload = rest.first(entry.header.payload_bytes);
    entry.attachment = rest.subspan(entry.header.payload_bytes);
    entry.synced = synced;
    return entry;
}

}  // namespace

std::string kept_name(const std::string& name) { return io::one_line(name, 180); }

std::string counts_text(const std::map<std::string, std::int64_t>& counts) {
    std::string text;
    for (const auto& [name, count] : counts)
        text += (text.empty() ? "" : "; ") + name + ": " + io::counted(count, "tile");
    return text;
}

RunAttempts::RunAttempts(std::string folder, const io::RunIdentity& identity)
    : folder_(std::move(folder)), key_(identity.key()), tiles_total_(identity.tiles_total) {
    const std::string path = folder_ + "/attempts";
    io::read_journal(path, key_, [&](io::Record record, bool) {
        std::int64_t ranks = 0;
        if (record.size() != sizeof(ranks)) throw damaged(path);
        std::memcpy(&ranks, record.data(), sizeof(ranks));
        if (ranks < 1 || ranks > most_ranks) throw damaged(path);
        ranks_.push_back(ranks);
    });
}

void RunAttempts::require_new(std::int64_t attempt, std::int64_t ranks) const {
    std::error_code ignored;
    for (std::int64_t rank = 0; rank < ranks; ++rank)
        if (const auto path = tile_journal_path(folder_, attempt, rank); fs::exists(path, ignored))
            throw Error("cannot use the journal '" + folder_ + "/attempts'",
                        "it does not know the attempt that wrote '" + path + "'",
                        "start the same command again, or start over with --force",
                        ExitCode::resources);
}

void RunAttempts::begin(std::int64_t ranks) {
    require_new(last() + 1, ranks);
    io::JournalWriter writer(folder_ + "/attempts", key_);
    writer.append(std::as_bytes(std::span(&ranks, 1)));
    writer.close(true);
    ranks_.push_back(ranks);
}

std::string tile_journal_path(const std::string& folder, std::int64_t attempt, std::int64_t rank) {
    return folder + "/tiles-" + std::to_string(attempt) + "-" + std::to_string(rank);
}

template <class Visit>
void RunAttempts::each_journal(const Visit& visit) const {
    for (std::int64_t attempt = 1; attempt <= last(); ++attempt)
        for (std::int64_t rank = 0; rank < ranks_[static_cast<std::size_t>(attempt - 1)]; ++rank)
            visit(attempt, rank);
}

bool RunAttempts::any_journal() const {
    bool any = false;
    std::error_code ignored;
    each_journal([&](std::int64_t attempt, std::int64_t rank) {
        any = any || fs::exists(tile_journal_path(folder_, attempt, rank), ignored);
    });
    return any;
}

void RunAttempts::remove_journals() const {
    std::error_code ignored;
    each_journal([&](std::int64_t attempt, std::int64_t rank) {
        fs::remove(tile_journal_path(folder_, attempt, rank), ignored);
    });
}

void RunAttempts::read_tiles(const std::function<void(const Origin&, const TileEntry&)>& receive,
                             std::int64_t whole) const {
    each_journal([&](std::int64_t attempt, std::int64_t rank) {
        read_journal(attempt, rank, attempt == whole, receive);
    });
}

void RunAttempts::read_journal(
    std::int64_t attempt, std::int64_t rank, bool whole,
    const std::function<void(const Origin&, const TileEntry&)>& receive) const {
    const std::string path = tile_journal_path(folder_, attempt, rank);
    Origin origin;
    const auto take = [&](io::Record record, bool synced) {
        const TileEntry entry = take_apart(record, synced, path);
        if (entry.header.id == TileHeader::origin)
            origin = {name_in_record(entry.payload), name_in_record(entry.attachment)};
        else if (entry.header.id >= 0 &&
                 (entry.header.phase != RunPhase::main || entry.header.id < tiles_total_))
            receive(origin, entry);
        else
            throw damaged(path);
    };
    const io::JournalReading reading = io::read_journal(path, key_, take);
    if (whole && reading.end == io::JournalEnd::torn) throw damaged(path);
}

}  // namespace tessera
