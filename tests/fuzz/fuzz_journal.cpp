// libFuzzer entry: journals that are damaged in any places, or whose records hold any bytes.
// FUZZ_READER chooses: of the former read_journal must get the records before the damage and no
// others, of the latter read_tiles tiles that keep their promises, or one line of an Error.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "engine/tile_records.hpp"
#include "fuzz.hpp"
#include "io/journal/journal_format.hpp"
#include "tests/io/temporary_folder.hpp"

namespace {

using namespace tessera;
using fuzz::require;
using Bytes = std::vector<std::byte>;

constexpr std::int64_t tiles_total = 5;
const io::RunIdentity identity{"dock", "input", "build", tiles_total};

/// Journals are not read through links, such as those to a MemoryFile.
const test::TemporaryFolder& folder() {
    static const test::TemporaryFolder folder;
    return folder;
}

std::string write(const std::string& name, const Bytes& bytes) {
    const std::string file = folder() / name;
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return file;
}

/// A journal as its writer leaves it.
struct Journal {
    Bytes file;
    std::uint64_t synced;
    std::vector<Bytes> records;
    std::vector<std::size_t> ends;  ///< in the file, of each record

    explicit Journal(std::uint64_t bytes_synced) : synced(bytes_synced) {
        const io::JournalHead head(identity.key(), synced);
        add(std::as_bytes(std::span(&head, 1)));
    }
    void append(io::Record record) {
        const io::RecordFrame frame(identity.key(), records.size(), {&record, 1});
        add(std::as_bytes(std::span(&frame, 1)));
        add(record);
        ends.push_back(file.size());
        records.emplace_back(record.begin(), record.end());
    }

  private:
    void add(io::Record bytes) { file.insert(file.end(), bytes.begin(), bytes.end()); }
};

Bytes some_bytes(FuzzedDataProvider& input, std::size_t most) {
    const auto text = input.ConsumeRandomLengthString(most);
    const io::Record bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// Cut off, lengthened, and bytes changed.
Bytes damaged(Bytes file, FuzzedDataProvider& input) {
    if (input.ConsumeBool()) file.resize(input.ConsumeIntegralInRange<std::size_t>(0, file.size()));
    if (input.ConsumeBool())
        for (const std::byte byte : some_bytes(input, 80)) file.push_back(byte);
    for (int count = input.ConsumeIntegralInRange(0, 4); count > 0 && !file.empty(); --count) {
        const auto at = input.ConsumeIntegralInRange<std::size_t>(0, file.size() - 1);
        file[at] ^= std::byte{input.ConsumeIntegral<std::uint8_t>()};
    }
    return file;
}

/// Whether bytes [begin, end) are those of the journal as it was written.
bool same(const Bytes& file, const Journal& journal, std::size_t begin, std::size_t end) {
    return file.size() >= end &&
           std::equal(file.begin() + static_cast<std::ptrdiff_t>(begin),
                      file.begin() + static_cast<std::ptrdiff_t>(end),
                      journal.file.begin() + static_cast<std::ptrdiff_t>(begin));
}

/// Reads records and holds each against the one that was written. Returns how many there were.
std::size_t compare(const Journal& journal, const Bytes& file, bool head_is_good) {
    std::size_t count = 0;
    const auto reading = io::read_journal(
        write("journal", file), identity.key(), [&](io::Record record, bool synced) {
            require(count < journal.records.size() &&
                        std::ranges::equal(record, journal.records[count]),
                    "a record is one that was written");
            require(synced == (head_is_good && journal.ends[count] <= journal.synced),
                    "a record tells whether it was synced");
            ++count;
        });
    const bool named = same(file, journal, 0, 24);
    const std::size_t end = count == 0 ? sizeof(io::JournalHead) : journal.ends[count - 1];
    require(reading.bytes == (named && file.size() >= end ? end : 0), "good bytes are counted");
    require((reading.end == io::JournalEnd::whole) == (named && file.size() == end),
            "what follows the last good record is seen");
    return count;
}

[[maybe_unused]] void read_journal(FuzzedDataProvider& input) {
    Journal journal(input.ConsumeIntegralInRange<std::uint64_t>(0, 400));
    for (int count = input.ConsumeIntegralInRange(0, 4); count > 0; --count)
        journal.append(some_bytes(input, 60));
    const Bytes file = damaged(journal.file, input);
    std::size_t expected = 0;
    const bool head_is_good = same(file, journal, 0, sizeof(io::JournalHead));
    if (file.size() >= sizeof(io::JournalHead) && same(file, journal, 0, 24))
        while (expected < journal.ends.size() &&
               same(file, journal, sizeof(io::JournalHead), journal.ends[expected]))
            ++expected;
    try {
        require(compare(journal, file, head_is_good) == expected, "all good records are there");
    } catch (const Error& error) {
        require(error.code() == ExitCode::usage && !same(file, journal, 32, 40),
                "only a journal of another run is refused");
    }
}

/// Of one attempt of one rank, or of more ranks than there can be.
[[maybe_unused]] void read_tiles(FuzzedDataProvider& input) {
    Journal attempts(0);
    const auto ranks = input.ConsumeBool() ? 1 : input.ConsumeIntegral<std::int64_t>() | 1L << 40;
    attempts.append(std::as_bytes(std::span(&ranks, 1)));
    write("attempts", attempts.file);
    Journal tiles(1 << 20);  // more than there is: all of it is on the disk
    while (input.remaining_bytes() > 0) {
        const TileHeader header{input.ConsumeIntegralInRange<std::int64_t>(-2, tiles_total),
                                input.ConsumeIntegralInRange<std::uint64_t>(0, 20),
                                RunPhase{input.ConsumeIntegralInRange<std::uint64_t>(0, 2)}};
        Bytes record = some_bytes(input, 20);
        const io::Record begin = std::as_bytes(std::span(&header, 1));
        record.insert(record.begin(), begin.begin(), begin.end());
        if (input.ConsumeProbability<float>() < 0.1F) record = some_bytes(input, 60);
        tiles.append(record);
    }
    write("tiles-1-0", tiles.file);
    fuzz::expect_line(
        [&] {
            RunAttempts(folder().path().string(), identity)
                .read_tiles([&](const Origin& origin, const TileEntry& entry) {
                    require(entry.header.id >= 0, "tiles have numbers");
                    require(entry.header.phase != RunPhase::main || entry.header.id < tiles_total,
                            "tiles are the run's");
                    require(entry.payload.size() == entry.header.payload_bytes && entry.synced,
                            "a tile has its payload");
                    for (const char c : origin.device + origin.machine)
                        require(c >= ' ' && c <= '~', "devices have printable names");
                });
        },
        ExitCode::resources);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    FuzzedDataProvider input(data, size);
    FUZZ_READER(input);
    return 0;
}
