#include "mpi/scheduling/node_tile_iterator.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <string>
#include <thread>

#include "mpi/scheduling/node_state.hpp"

namespace tessera::mpi {

namespace {

Communicator fake_node_of(const Communicator& communicator, int ranks_per_node) {
    return communicator.split(communicator.rank() / ranks_per_node, communicator.rank());
}

// The least time that a request to rank 0 takes between machines.
constexpr auto while_another_asks = std::chrono::microseconds(20);

/// A rank gives up after a few failures in a row. More failures than these come from tiles that no
/// rank can compute.
int lines_of_log(int ranks) { return 1024 + 16 * ranks; }

std::vector<std::int64_t> initial_counters(std::int64_t tiles, int ranks, int nodes) {
    std::vector<std::int64_t> values(
        static_cast<std::size_t>(TileCounter::count +
                                 lines_of_log(ranks) * ReturnedTiles::words_per_line),
        0);
    // A single node needs no requests: its first chunk holds all tiles.
    values[TileCounter::next_position] = nodes > 1 ? std::min<std::int64_t>(tiles, ranks) : tiles;
    return values;
}

}  // namespace

NodeTileIterator::NodeTileIterator(const Communicator& communicator, std::vector<Tile> tiles,
                                   const NodeTileOptions& options)
    : tiles_(std::move(tiles)),
      world_(communicator.duplicate()),
      machine_(communicator.split_shared()),
      fake_node_(options.ranks_per_fake_node > 0
                     ? std::optional(fake_node_of(communicator, options.ranks_per_fake_node))
                     : std::nullopt),
      nodes_(static_cast<int>(communicator.allreduce_sum(node_ranks().is_root() ? 1 : 0))),
      memory_(node_ranks(),
              sizeof(NodeState) + sizeof(HeldTile) * static_cast<std::size_t>(node_ranks().size())),
      counters_(world_, initial_counters(tiles_total(), world_.size(), nodes_),
                options.as_between_machines),
      returned_(counters_, TileCounter::lines, TileCounter::count, lines_of_log(world_.size())),
      deadline_(options.deadline) {
    if (tiles_.size() >= UINT32_MAX)
        throw Error("too many tiles", std::to_string(tiles_.size()) + ", at most 2^32 - 2",
                    "please report this", ExitCode::internal);
    if (options.shuffle_seed) shuffle_tiles(tiles_, *options.shuffle_seed);
    describe_nodes(communicator);
    start_node();
    if (deadline_.is_on())
        start_watch();
    else if (nodes_ > 1 && world_.is_root() && options.answer_while_computing)
        server_ = std::make_unique<RequestServer>(world_);
    world_.barrier();
}

void NodeTileIterator::describe_nodes(const Communicator& communicator) {
    int leader = communicator.rank();
    node_ranks().broadcast(leader);
    const std::vector<int> leaders = communicator.allgather(leader);
    // Nodes are ordered by their leaders. The first chunk of a node follows those of earlier nodes.
    first_of_node_ =
        std::count_if(leaders.begin(), leaders.end(), [&](int other) { return other < leader; });
}

void NodeTileIterator::start_node() {
    if (!node_ranks().is_root()) {
        state_ = static_cast<NodeState*>(memory_.data());
        return;
    }
    state_ = new (memory_.data()) NodeState{};
    const std::int64_t end = nodes_ > 1 ? first_of_node_ + node_ranks().size() : tiles_total();
    const auto within = [&](std::int64_t position) {
        return static_cast<std::uint32_t>(std::min(position, tiles_total()));
    };
    const TileRange first{within(first_of_node_), within(end)};
    state_->chunk = first.word();
    state_->taken = first.size();
    state_->ranks_left = node_ranks().size();
    state_->exhausted = nodes_ > 1 ? 0 : 1;
    state_->last_report = monotonic_nanoseconds();
}

/// Counts this rank as idle from its first turn of waiting until it gets a tile.
class NodeTileIterator::Waiting {
  public:
    explicit Waiting(NodeTileIterator& iterator) : iterator_(iterator) {}

    void turn() {
        if (!counted_) ++iterator_.state_->waiting;
        counted_ = true;
        iterator_.try_refill();
        if (iterator_.world_.is_root()) serve_requests(iterator_.world_);
        iterator_.look_for_late_tiles();
        if (iterator_.while_waiting_) iterator_.while_waiting_();
        std::this_thread::sleep_for(pause_);
        // The more nodes there are, the less often each one asks.
        const std::chrono::microseconds longest(std::clamp(50 * iterator_.nodes_, 1000, 100'000));
        pause_ = std::min(2 * pause_,
                          iterator_.world_.is_root() ? std::chrono::microseconds(1000) : longest);
    }
    void over() {
        if (counted_) --iterator_.state_->waiting;
        counted_ = false;
    }

  private:
    NodeTileIterator& iterator_;
    bool counted_ = false;
    std::chrono::microseconds pause_{20};
};

std::optional<Tile> NodeTileIterator::next() {
    finished();
    report_now_and_then();
    Waiting waiting(*this);
    while (!state_->abandoned.load()) {
        if (!left_) {
            if (auto tile = take_fresh_or_failed()) {
                waiting.over();
                if (server_) server_->open();
                return tile;
            }
        }
        if (state_->complete.load()) return std::nullopt;
        waiting.turn();
    }
    return std::nullopt;
}

std::optional<Tile> NodeTileIterator::take_fresh_or_failed() {
    while (!state_->abandoned.load()) {
        if (auto tile = take_failed()) return tile;
        // Read before the chunk, so that a rank that finds the chunk empty does not miss a later
        // one.
        const bool exhausted = state_->exhausted.load() != 0;
        if (auto tile = take_from_chunk()) return tile;
        if (exhausted) return std::nullopt;
        if (!try_refill()) {
            if (world_.is_root()) serve_requests(world_);
            std::this_thread::sleep_for(while_another_asks);
        }
    }
    return std::nullopt;
}

std::optional<Tile> NodeTileIterator::hold(std::uint32_t position,
                                           std::optional<std::int64_t> copy_of) {
    held_ = position;
    if (deadline_.is_on()) show_held(position, copy_of);
    return tiles_[position];
}

std::optional<Tile> NodeTileIterator::take_from_chunk() {
    std::uint64_t word = state_->chunk.load();
    while (true) {
        TileRange chunk = TileRange::of(word);
        if (chunk.empty()) return std::nullopt;
        const std::uint32_t position = chunk.begin++;
        if (state_->chunk.compare_exchange_weak(word, chunk.word())) return hold(position);
    }
}

/// Takes a tile that failed elsewhere, if the log has a line that this rank has not seen. A line
/// that the rank cannot take now it can never take later.
std::optional<Tile> NodeTileIterator::take_failed() {
    while (lines_seen_ < state_->lines.load()) {
        const ReturnedRange line = returned_.read(lines_seen_, lines_seen_ + 1).front();
        const std::int64_t number = lines_seen_++;
        if (!may_take(line)) continue;
        const bool lent = line.kind == ReturnedRange::Kind::lent;
        if (const auto taken = returned_.take(number, 1))
            return hold(taken->begin, lent ? std::optional(number) : std::nullopt);
    }
    return std::nullopt;
}

bool NodeTileIterator::may_take(const ReturnedRange& line) const {
    if (failed_here_.contains(line.position())) return false;
    if (line.kind == ReturnedRange::Kind::lent) return !line.done && line.rank != world_.rank();
    return line.kind == ReturnedRange::Kind::failed;
}

bool NodeTileIterator::finished() {
    if (server_) server_->close();
    if (!held_) return true;
    held_.reset();
    const auto lent = put_down();
    const bool counts = !lent || returned_.finish_lent(*lent);
    if (counts) ++state_->settled;
    return counts;
}

HandedOn NodeTileIterator::give_back(TileFault fault, bool leaves) {
    if (server_) server_->close();
    if (!held_)
        throw Error("a tile was given back that was not handed out", "a bug in the work loop",
                    "please report this", ExitCode::internal);
    const std::uint32_t position = *held_;
    held_.reset();
    failed_here_.insert(position);
    const auto lent = put_down();
    const bool others_have_it = lent && !returned_.fail_lent(*lent);
    using Kind = ReturnedRange::Kind;
    std::int64_t known = returned_.append(
        {Kind::failed, fault, world_.rank(), {position + (others_have_it ? 1 : 0), position + 1}});
    if (leaves && !left_) {
        left_ = true;
        if (--state_->ranks_left == 0) hand_over_chunk();
        known = returned_.append({Kind::gone, fault, world_.rank(), {}});
    }
    state_->note_lines(known);
    // If two ranks give up the last hope for a tile at once, the rank with the later line sees
    // both.
    const auto hopeless = find_hopeless(returned_.read(0, known), world_.size());
    if (!hopeless) return {true, tiles_[position], 1};
    return {false, tiles_[hopeless->position], hopeless->failures};
}

/// The last rank of the node leaves. Other nodes get the tiles that the node has not handed out.
void NodeTileIterator::hand_over_chunk() {
    const TileRange rest = TileRange::of(state_->chunk.exchange(TileRange{}.word()));
    if (!rest.empty())
        returned_.append(
            {ReturnedRange::Kind::left_over, TileFault::device_lost, world_.rank(), rest});
}

void NodeTileIterator::abandon() {
    if (server_) server_->close();
    if (held_) put_down();
    held_.reset();
    state_->abandoned = 1;
    std::vector<std::int64_t> increments(TileCounter::count, 0);
    increments[TileCounter::next_position] = tiles_total();
    increments[TileCounter::abandonments] = 1;
    counters_.add_to_all(increments);
}

std::int64_t NodeTileIterator::read_of_world(int counter) {
    const bool was_open = server_ && server_->close();
    const std::int64_t value = counters_.read(counter);
    if (was_open) server_->open();
    return value;
}

std::int64_t NodeTileIterator::tiles_finished() {
    if (nodes_ == 1) return state_->settled.load();
    const std::int64_t unsaid = state_->settled.load() - state_->settled_said.load();
    const std::int64_t others =
        world_.is_root() ? read_of_world(TileCounter::settled) : state_->world_settled.load();
    return std::min(others + unsaid, tiles_total());
}

std::int64_t NodeTileIterator::ranks_busy() {
    std::int64_t waiting = state_->waiting.load();
    if (nodes_ > 1) waiting += read_of_world(TileCounter::idle) - state_->waiting_said.load();
    return std::max<std::int64_t>(0, world_.size() - waiting);
}

}  // namespace tessera::mpi
