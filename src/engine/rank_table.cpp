#include "engine/rank_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "io/text/counted.hpp"
#include "io/text/csv_table.hpp"

namespace tessera::engine {

namespace {

double whole_seconds(const RankRecord& rank) { return rank.busy_seconds + rank.waiting_seconds; }

double busy_share(const RankRecord& rank) {
    const double whole = whole_seconds(rank);
    return whole > 0 ? rank.busy_seconds / whole : 0;
}

std::string row(std::size_t number, const RankRecord& rank) {
    return fmt::format("{:>5}  {:<16.16} {:<32.32} {:<7} {:>9} {:>6.1f} % {:>8}{}\n", number,
                       rank.host.str(), rank.device.str(), rank.backend.str(), rank.tiles_done,
                       100 * busy_share(rank), rank.retries,
                       rank.fate == "finished" || rank.fate == "" ? "" : "  " + rank.fate.str());
}

/// The first `rows / 2` and last `rows / 2` ranks by busy time, in the order of the ranks.
std::vector<std::size_t> chosen_rows(const std::vector<RankRecord>& ranks, std::size_t rows) {
    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (ranks.size() <= rows) return order;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return ranks[a].busy_seconds < ranks[b].busy_seconds;
    });
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(rows / 2),
                order.end() - static_cast<std::ptrdiff_t>(rows / 2));
    std::sort(order.begin(), order.end());
    return order;
}

}  // namespace

double balance_of(const std::vector<RankRecord>& ranks) {
    double busy = 0, longest = 0;
    for (const RankRecord& rank : ranks) {
        busy += rank.busy_seconds;
        longest = std::max(longest, whole_seconds(rank));
    }
    return longest > 0 ? busy / (longest * static_cast<double>(ranks.size())) : 1;
}

std::string rank_table(const std::vector<RankRecord>& ranks, std::size_t rows) {
    std::string table = fmt::format("{:>5}  {:<16} {:<32} {:<7} {:>9} {:>8} {:>8}\n", "rank",
                                    "host", "device", "backend", "tiles", "busy", "retries");
    for (const std::size_t number : chosen_rows(ranks, rows)) table += row(number, ranks[number]);
    if (ranks.size() > rows)
        table += fmt::format("       ({} in between: see /run/ranks)\n",
                             io::counted(ranks.size() - rows, "rank"));
    return table + fmt::format("balance: the {} ranks computed {:.1f} % of the time\n",
                               ranks.size(), 100 * balance_of(ranks));
}

std::string rank_csv(const std::vector<RankRecord>& ranks) {
    std::string text = "rank,host,device,backend,tiles,busy_seconds,waiting_seconds,retries,fate\n";
    for (std::size_t r = 0; r < ranks.size(); ++r)
        text += fmt::format("{},{},{},{},{},{:.3f},{:.3f},{},{}\n", r,
                            io::csv_field(ranks[r].host.str()),
                            io::csv_field(ranks[r].device.str()), ranks[r].backend.str(),
                            ranks[r].tiles_done, ranks[r].busy_seconds, ranks[r].waiting_seconds,
                            ranks[r].retries, io::csv_field(ranks[r].fate.str()));
    return text;
}

void note_who_did(std::vector<RetryRecord>& retries, int rank, std::span<const std::byte> bytes) {
    for (std::size_t at = 0; at + sizeof(std::int64_t) <= bytes.size();
         at += sizeof(std::int64_t)) {
        std::int64_t tile = 0;
        std::memcpy(&tile, bytes.data() + at, sizeof(tile));
        for (RetryRecord& retry : retries)
            if (retry.tile == tile && retry.outcome == "handed on")
                retry.outcome = "handed on, done by rank " + std::to_string(rank);
    }
}

std::string kinds_text(const std::map<std::string, int>& ranks_of) {
    std::string text;
    for (const auto& [kind, ranks] : ranks_of)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", kind, io::counted(ranks, "rank"));
    return text;
}

}  // namespace tessera::engine
