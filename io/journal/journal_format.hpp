// The format of a journal: a head of 48 bytes, then records, each after its frame.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "io/journal/checksum.hpp"
#include "io/journal/journal_reader.hpp"

namespace tessera::io {

/// The head of the file. `synced` is updated in place: this many bytes are known to be on the disk.
struct JournalHead {
    static constexpr std::string_view magic = "tessera journal 3\n";

    std::array<char, 24> name{};
    std::uint64_t synced = 0;
    std::uint64_t key = 0;
    std::uint64_t checksum = 0;  ///< of `synced` and `key`

    JournalHead() = default;
    JournalHead(JournalKey run, std::uint64_t length)
        : synced(length), key(run.value), checksum(sum()) {
        std::ranges::copy(magic, name.begin());
    }
    bool has_name() const { return std::ranges::equal(name, JournalHead(JournalKey{}, 0).name); }
    std::uint64_t sum() const {
        Checksum sum(key);
        sum.add(std::as_bytes(std::span(&synced, 1)));
        return sum.value();
    }
};

/// The frame that precedes a record's bytes.
struct RecordFrame {
    std::uint64_t length = 0;
    /// Of the run's key and the record's number, length and bytes.
    std::uint64_t checksum = 0;

    RecordFrame() = default;
    RecordFrame(JournalKey run, std::uint64_t number, std::span<const Record> pieces) {
        for (const Record piece : pieces) length += piece.size();
        const std::array begin{run.value, number, length};
        Checksum sum;
        sum.add(std::as_bytes(std::span(begin)));
        for (const Record piece : pieces) sum.add(piece);
        checksum = sum.value();
    }
};

}  // namespace tessera::io
