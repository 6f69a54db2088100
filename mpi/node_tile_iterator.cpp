#include "mpi/node_tile_iterator.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <random>
#include <thread>

namespace tessera::mpi {

namespace {

// Counters at rank 0.
constexpr int next_position = 0;    // first position that no node has taken
constexpr int finished_chunks = 1;  // tiles in chunks that nodes have emptied

/// A node's chunk, [begin, end) of positions, in one word so that taking a tile is one
/// compare-and-swap.
struct Chunk {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    static Chunk of(std::uint64_t word) {
        return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
    }
    std::uint64_t word() const { return (std::uint64_t{begin} << 32) | end; }
    bool empty() const { return begin >= end; }
};

/// Fisher–Yates with a fixed generator: the same on all ranks whatever their standard library.
void shuffle(std::vector<Tile>& tiles, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = tiles.size(); i > 1; --i) std::swap(tiles[i - 1], tiles[random() % i]);
}

Communicator node_of(const Communicator& communicator, const NodeTileOptions& options) {
    if (options.ranks_per_fake_node <= 0) return communicator.split_shared();
    return communicator.split(communicator.rank() / options.ranks_per_fake_node,
                              communicator.rank());
}

}  // namespace

/// Lives in memory shared by the node's ranks. Lock-free atomics work across processes.
struct NodeTileIterator::NodeState {
    std::atomic<std::uint64_t> chunk;      ///< a Chunk's word
    std::atomic<std::uint32_t> refilling;  ///< 1: one rank is asking for the next chunk
    std::atomic<std::uint32_t> exhausted;  ///< 1: there is no next chunk
    std::atomic<std::uint32_t> abandoned;  ///< 1: no tile shall be handed out any more
    std::atomic<std::int64_t> chunk_size;  ///< of the chunk when it was taken
    std::atomic<std::int64_t> taken;       ///< positions this node has taken in all
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<std::uint32_t>::is_always_lock_free);
};

NodeTileIterator::NodeTileIterator(const Communicator& communicator, std::vector<Tile> tiles,
                                   const NodeTileOptions& options)
    : tiles_(std::move(tiles)),
      world_(communicator.duplicate()),
      node_(node_of(communicator, options)),
      memory_(node_, sizeof(NodeState)) {
    if (tiles_.size() > UINT32_MAX)
        throw Error("too many tiles", std::to_string(tiles_.size()) + ", at most 2^32 - 1",
                    "please report this", ExitCode::internal);
    if (options.shuffle_seed) shuffle(tiles_, *options.shuffle_seed);
    describe_nodes(communicator);
    const std::int64_t ranks_taken = std::min<std::int64_t>(tiles_total(), world_.size());
    if (nodes_ > 1) counters_.emplace(world_, std::vector<std::int64_t>{ranks_taken, 0});
    if (node_.is_root()) {
        state_ = new (memory_.data()) NodeState{};
        // A single node needs no one to ask: its first chunk is everything.
        const std::int64_t end = nodes_ > 1 ? first_of_node_ + node_.size() : tiles_total();
        const auto within = [&](std::int64_t position) {
            return static_cast<std::uint32_t>(std::min(position, tiles_total()));
        };
        const Chunk first{within(first_of_node_), within(end)};
        state_->chunk = first.word();
        state_->chunk_size = first.end - first.begin;
        state_->taken = first.end - first.begin;
        state_->exhausted = nodes_ > 1 ? 0 : 1;
    } else {
        state_ = static_cast<NodeState*>(memory_.data());
    }
    world_.barrier();
}

void NodeTileIterator::describe_nodes(const Communicator& communicator) {
    int leader = communicator.rank();
    node_.broadcast(leader);
    const std::vector<int> leaders = communicator.allgather(leader);
    // Nodes in the order of their leaders; a node's first chunk follows those of the nodes before.
    first_of_node_ =
        std::count_if(leaders.begin(), leaders.end(), [&](int other) { return other < leader; });
    nodes_ = static_cast<int>(communicator.allreduce_sum(node_.is_root() ? 1 : 0));
}

std::optional<Tile> NodeTileIterator::next() {
    if (counters_ && world_.rank() == 0) serve_requests();
    while (!state_->abandoned.load()) {
        // Asked before the chunk: a chunk put in later is not missed by a rank that read "empty".
        const bool exhausted = state_->exhausted.load() != 0;
        if (auto tile = take_from_chunk()) return tile;
        if (exhausted) return std::nullopt;
        std::uint32_t idle = 0;
        if (state_->refilling.compare_exchange_strong(idle, 1)) {
            refill();
        } else {
            wait_for_refill();
        }
    }
    return std::nullopt;
}

std::optional<Tile> NodeTileIterator::take_from_chunk() {
    std::uint64_t word = state_->chunk.load();
    while (true) {
        Chunk chunk = Chunk::of(word);
        if (chunk.empty()) return std::nullopt;
        const std::uint32_t position = chunk.begin++;
        if (state_->chunk.compare_exchange_weak(word, chunk.word())) return tiles_[position];
    }
}

/// Called by one rank of the node at a time, which has set `refilling`.
void NodeTileIterator::refill() {
    try {
        // Another rank may have been here between this rank's look at the chunk and its turn.
        if (Chunk::of(state_->chunk.load()).empty() && !state_->exhausted.load()) fetch_chunk();
    } catch (...) {
        state_->exhausted = 1;
        state_->refilling = 0;
        throw;
    }
    state_->refilling = 0;
}

void NodeTileIterator::fetch_chunk() {
    const std::int64_t handed_out =
        counters_->add_and_read(finished_chunks, state_->chunk_size.load(), next_position);
    const std::int64_t size = size_of_next_chunk(handed_out);
    const std::int64_t begin = counters_->fetch_add(next_position, size);
    const std::int64_t end = std::min(begin + size, tiles_total());
    if (begin >= end) {
        state_->chunk_size = 0;
        state_->exhausted = 1;
        return;
    }
    state_->chunk_size = end - begin;
    state_->taken += end - begin;
    state_->chunk =
        Chunk{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}.word();
}

std::int64_t NodeTileIterator::size_of_next_chunk(std::int64_t handed_out) const {
    const auto left = static_cast<double>(tiles_total() - handed_out);
    const double share = static_cast<double>(state_->taken.load()) /
                         static_cast<double>(std::max<std::int64_t>(handed_out, 1));
    const double size = left * std::min(share, 1.0 / nodes_) / 2;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(size));
}

void NodeTileIterator::wait_for_refill() const {
    while (state_->refilling.load()) {
        serve_requests();
        std::this_thread::yield();
    }
}

/// Over some transports (TCP) a request to the counters is only answered while rank 0 is inside
/// MPI. Without this, other nodes would get nothing as long as rank 0 has tiles of its own.
void NodeTileIterator::serve_requests() const {
    // A request takes a few turns: its arrival, the answer, the acknowledgement.
    for (int turn = 0; turn < 4; ++turn) {
        int pending = 0;
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world_.handle(), &pending, MPI_STATUS_IGNORE),
              "MPI_Iprobe");
    }
}

void NodeTileIterator::abandon() {
    state_->abandoned = 1;
    if (counters_) counters_->replace(next_position, tiles_total());
}

std::int64_t NodeTileIterator::tiles_handed_out() {
    const Chunk chunk = Chunk::of(state_->chunk.load());
    const std::int64_t left = chunk.empty() ? 0 : chunk.end - chunk.begin;
    if (!counters_ || world_.rank() != 0) return state_->taken.load() - left;
    // A look at the counter also lets MPI serve other nodes' requests to this rank.
    return counters_->read(finished_chunks) +
           std::max<std::int64_t>(0, state_->chunk_size.load() - left);
}

}  // namespace tessera::mpi
