// How the tiles were spread over the ranks, for people.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/run_statistics.hpp"

namespace tessera::engine {

/// Share of the ranks' time that they computed, 0 to 1: the sum of their busy seconds over the
/// number of ranks times the longest time (busy and waiting) of any. 1 where nobody had anything to
/// do.
double balance_of(const std::vector<RankRecord>& ranks);

/// A row a rank (host, device, tiles, share of its time busy, retries) and the balance. Of more
/// than `rows` ranks those that were busy longest and shortest.
std::string rank_table(const std::vector<RankRecord>& ranks, std::size_t rows = 16);

/// The same in full, as comma-separated values with a header line.
std::string rank_csv(const std::vector<RankRecord>& ranks);

/// Of the kinds of devices of all ranks: "NVIDIA H200: 3 ranks; Intel Xeon: 1 rank".
std::string kinds_text(const std::map<std::string, int>& ranks_of);

/// The tiles whose ids `bytes` holds were done by `rank`: notes it where they were handed on.
void note_who_did(std::vector<RetryRecord>& retries, int rank, std::span<const std::byte> bytes);

}  // namespace tessera::engine
