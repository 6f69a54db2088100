// Fetches the next chunk of a node: the part of NodeTileIterator that makes requests to rank 0.
#include <algorithm>
#include <random>

#include "mpi/scheduling/chunk_size.hpp"
#include "mpi/scheduling/node_state.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::mpi {

namespace {

constexpr std::int64_t between_reports = 1'000'000'000;  // ns

bool is_empty(const std::atomic<std::uint64_t>& chunk) {
    return TileRange::of(chunk.load()).empty();
}

}  // namespace

void shuffle_tiles(std::vector<Tile>& tiles, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = tiles.size(); i > 1; --i) std::swap(tiles[i - 1], tiles[random() % i]);
}

/// Runs `work` unless another rank of the node uses the counters of rank 0; returns false then.
bool NodeTileIterator::alone_at_counters(const std::function<void()>& work) {
    std::uint32_t nobody = 0;
    if (!state_->refilling.compare_exchange_strong(nobody, 1)) return false;
    try {
        work();
    } catch (...) {
        state_->refilling = 0;
        throw;
    }
    state_->refilling = 0;
    return true;
}

/// Returns false if another rank of the node does this already. Keeps the chunk unless it is empty.
bool NodeTileIterator::try_refill() {
    return alone_at_counters([this] {
        try {
            refill();
        } catch (...) {
            state_->exhausted = 1;
            throw;
        }
    });
}

void NodeTileIterator::refill() {
    // Another rank may have refilled the chunk since this rank read it.
    const bool wanted = !left_ && is_empty(state_->chunk);
    if (wanted && !state_->exhausted.load()) return fetch_chunk();
    exchange();
    if (wanted) fetch_left_over();
}

/// Reports the progress of this node and reads that of the others.
std::vector<std::int64_t> NodeTileIterator::exchange() {
    if (nodes_ == 1) {
        if (state_->settled.load() == tiles_total() && state_->late.load() == 0)
            state_->complete = 1;
        return {};
    }
    std::vector<std::int64_t> increments(TileCounter::count, 0);
    increments[TileCounter::settled] = state_->settled.load() - state_->settled_said.load();
    increments[TileCounter::idle] = state_->waiting.load() - state_->waiting_said.load();
    increments[TileCounter::late] = state_->late.load() - state_->late_said.load();
    const std::vector<std::int64_t> before = counters_.add_to_all(increments);
    const auto now = [&](int counter) {
        return before[static_cast<std::size_t>(counter)] +
               increments[static_cast<std::size_t>(counter)];
    };
    state_->settled_said += increments[TileCounter::settled];
    state_->waiting_said += increments[TileCounter::idle];
    state_->late_said += increments[TileCounter::late];
    state_->world_settled = now(TileCounter::settled);
    state_->world_idle = now(TileCounter::idle);
    state_->world_late = now(TileCounter::late);
    state_->note_lines(before[TileCounter::lines]);
    if (before[TileCounter::abandonments] > 0) state_->abandoned = 1;
    if (before[TileCounter::stuck] > 0) state_->stuck = NodeState::told;
    if (now(TileCounter::settled) == tiles_total() && now(TileCounter::late) == 0)
        state_->complete = 1;
    return before;
}

void NodeTileIterator::fetch_chunk() {
    const std::int64_t size = size_of_next_chunk(exchange()[TileCounter::next_position]);
    const std::int64_t begin = counters_.fetch_add(TileCounter::next_position, size);
    const std::int64_t end = std::min(begin + size, tiles_total());
    if (begin >= end) {
        state_->exhausted = 1;
        return;
    }
    state_->taken += end - begin;
    state_->chunk =
        TileRange{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}.word();
}

/// Takes tiles that a node drew before its last rank left. A line is tried until all its tiles are
/// taken.
void NodeTileIterator::fetch_left_over() {
    while (state_->left_over_seen.load() < state_->lines.load()) {
        const std::int64_t number = state_->left_over_seen.load();
        const ReturnedRange line = returned_.read(number, number + 1).front();
        if (line.kind == ReturnedRange::Kind::left_over) {
            const auto share = line.range.size() / (2 * static_cast<std::uint32_t>(nodes_));
            if (const auto taken = returned_.take(number, std::max(share, 1U))) {
                state_->taken += taken->size();
                state_->chunk = taken->word();
                return;
            }
        }
        ++state_->left_over_seen;
    }
}

std::int64_t NodeTileIterator::size_of_next_chunk(std::int64_t handed_out) const {
    return chunk_size(tiles_total(), handed_out, static_cast<std::int64_t>(state_->taken.load()),
                      nodes_, least_chunk(nodes_, node_ranks().size()));
}

/// Reports regularly, so that other nodes learn about progress, failed tiles and the end of the run
/// although chunks are large.
void NodeTileIterator::report_now_and_then() {
    if (nodes_ == 1) return;
    const std::int64_t now = monotonic_nanoseconds();
    std::int64_t last = state_->last_report.load();
    if (now - last < between_reports) return;
    if (!state_->last_report.compare_exchange_strong(last, now)) return;
    alone_at_counters([this] { exchange(); });
}

}  // namespace tessera::mpi
