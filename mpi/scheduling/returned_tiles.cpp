#include "mpi/scheduling/returned_tiles.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>

namespace tessera::mpi {

namespace {

using Kind = ReturnedRange::Kind;

// A tile that is itself at fault fails everywhere, so a few ranks are enough to tell.
constexpr int enough_not_finite = 3, enough_lost_devices = 2;

// Indices of the words of a line.
constexpr int who_word = 0, taken_word = 1, range_word = 2, lent_word = 3;

// What the holders of a lent tile add to its word.
constexpr std::int64_t one_done = 1, one_failed = 1 << 8, all_done = one_failed - 1;

// An unwritten line is zero. The range of a rank that is gone is empty, but it is not zero.
constexpr TileRange no_tiles{1, 1};

std::int64_t who_of(const ReturnedRange& line) {
    return (std::int64_t{line.rank} << 16) | (static_cast<std::int64_t>(line.fault) << 8) |
           static_cast<std::int64_t>(line.kind);
}

ReturnedRange line_of(std::int64_t who, std::int64_t taken, std::int64_t range) {
    ReturnedRange line{static_cast<Kind>(who & 0xff), static_cast<TileFault>((who >> 8) & 0xff),
                       static_cast<int>(who >> 16),
                       TileRange::of(std::bit_cast<std::uint64_t>(range))};
    // If several ranks take at once, they may ask for more tiles than there are.
    line.range.begin +=
        static_cast<std::uint32_t>(std::min<std::int64_t>(taken, line.range.size()));
    return line;
}

struct Failures {
    std::set<int> ranks;
    int not_finite = 0, lost_devices = 0;

    bool are_enough(const std::set<int>& gone, int world_size) const {
        if (not_finite >= enough_not_finite || lost_devices >= enough_lost_devices) return true;
        std::set<int> out = gone;
        out.insert(ranks.begin(), ranks.end());
        return static_cast<int>(out.size()) >= world_size;
    }
};

}  // namespace

std::optional<HopelessTile> find_hopeless(std::span<const ReturnedRange> log, int ranks) {
    std::set<int> gone;
    std::map<std::uint32_t, Failures> failures;
    for (const ReturnedRange& line : log) {
        if (line.kind == Kind::gone) gone.insert(line.rank);
        if (line.kind != Kind::failed) continue;
        Failures& of_tile = failures[line.position()];
        of_tile.ranks.insert(line.rank);
        if (line.fault == TileFault::not_finite) ++of_tile.not_finite;
        if (line.fault == TileFault::device_lost) ++of_tile.lost_devices;
    }
    for (const ReturnedRange& line : log) {
        if (line.range.empty() || line.kind == Kind::lent) continue;
        const Failures& of_tile = failures[line.range.begin];
        if (of_tile.are_enough(gone, ranks))
            return HopelessTile{line.range.begin, static_cast<int>(of_tile.ranks.size())};
    }
    return std::nullopt;
}

std::int64_t ReturnedTiles::append(const ReturnedRange& line) {
    const std::int64_t number = counters_.fetch_add(length_, 1);
    if (number >= capacity_)
        throw Error("too many tiles fail", std::to_string(capacity_) + " were given back by ranks",
                    "find the device that fails and leave it out", ExitCode::resources);
    // The range is written last: a line with a range is complete.
    counters_.replace(word_of(number) + who_word, who_of(line));
    const TileRange range = line.kind == Kind::gone ? no_tiles : line.range;
    counters_.replace(word_of(number) + range_word, std::bit_cast<std::int64_t>(range.word()));
    return number + 1;
}

std::vector<ReturnedRange> ReturnedTiles::read(std::int64_t first, std::int64_t last) {
    last = std::min<std::int64_t>(last, capacity_);
    std::vector<ReturnedRange> lines;
    for (std::int64_t number = first; number < last; ++number) {
        const auto word = [&](int which) { return counters_.read(word_of(number) + which); };
        std::int64_t range = word(range_word);
        for (; range == 0; range = word(range_word)) counters_.wait_for_others();
        lines.push_back(line_of(word(who_word), word(taken_word), range));
        if (lines.back().kind == Kind::lent) lines.back().done = (word(lent_word) & all_done) != 0;
    }
    return lines;
}

std::optional<TileRange> ReturnedTiles::take(std::int64_t number, std::uint32_t count) {
    const std::int64_t before = counters_.fetch_add(word_of(number) + taken_word, count);
    const TileRange whole =
        TileRange::of(std::bit_cast<std::uint64_t>(counters_.read(word_of(number) + range_word)));
    if (before >= whole.size()) return std::nullopt;
    const auto begin = whole.begin + static_cast<std::uint32_t>(before);
    return TileRange{begin, begin + std::min(count, whole.end - begin)};
}

bool ReturnedTiles::finish_lent(std::int64_t number) {
    return (counters_.fetch_add(word_of(number) + lent_word, one_done) & all_done) == 0;
}

bool ReturnedTiles::fail_lent(std::int64_t number) {
    const std::int64_t before = counters_.fetch_add(word_of(number) + lent_word, one_failed);
    if ((before & all_done) != 0) return false;
    return before >= one_failed || take(number, 1).has_value();
}

}  // namespace tessera::mpi
