// Late tiles and stuck runs: a part of NodeTileIterator. Ranks check each other's tiles while they
// wait. While a rank computes, a thread of its process (RequestServer) does it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "core/host_name.hpp"
#include "mpi/scheduling/node_state.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::mpi {

namespace {

constexpr double nanosecond = 1e-9, for_ever = 1e9;  // s
constexpr double until_stopped = 10;       // s: a run that was asked to stop has little time left
constexpr double until_heard_twice = 2.5;  // s: other nodes report once a second
// Gives the other processes time to leave, so that srun sees the same exit code everywhere.
constexpr auto for_others_to_leave = std::chrono::milliseconds(500);

std::int64_t nanoseconds(double seconds) {
    return static_cast<std::int64_t>(std::min(seconds, for_ever) / nanosecond);
}

double seconds_since(std::int64_t begun) {
    return static_cast<double>(monotonic_nanoseconds() - begun) * nanosecond;
}

double seconds_between_looks(const TileDeadline& deadline) {
    return std::clamp(std::min(deadline.least, deadline.stuck_after) / 20, 0.005, 1.0);
}

}  // namespace

NodeTileIterator::HeldTile& NodeTileIterator::held_by(int rank_of_node) const {
    return reinterpret_cast<HeldTile*>(state_ + 1)[rank_of_node];
}

void NodeTileIterator::start_watch() {
    mine().rank = world_.rank();
    const bool answers = nodes_ > 1 && world_.is_root();
    const auto turn = [this, answers] {
        if (answers) serve_requests(world_);
        look_for_late_tiles();
    };
    const std::chrono::duration<double> between(seconds_between_looks(deadline_));
    server_ = std::make_unique<RequestServer>(
        turn, answers ? between_requests
                      : std::chrono::duration_cast<std::chrono::microseconds>(between));
}

void NodeTileIterator::show_held(std::uint32_t position, std::optional<std::int64_t> copy_of) {
    const std::int64_t now = monotonic_nanoseconds();
    mine().begun = now;
    mine().late_at = now + nanoseconds(times_.limit(deadline_));
    mine().line = copy_of.value_or(HeldTile::unknown);
    mine().word = (std::uint64_t{position} + 1) | (copy_of ? HeldTile::is_copy : 0);
}

/// This rank no longer computes its tile. Returns the line of the log by which another rank has the
/// tile too.
std::optional<std::int64_t> NodeTileIterator::put_down() {
    if (!deadline_.is_on()) return std::nullopt;
    HeldTile& tile = mine();
    times_.add(seconds_since(tile.begun.load()));
    const std::uint64_t word = tile.word.exchange(0);
    if (word & HeldTile::is_late) {
        --state_->late;
        // The process that marked the tile as late may still be writing the line.
        while (tile.line.load() == HeldTile::unknown) counters_.wait_for_others();
    }
    const std::int64_t line = tile.line.load();
    return line >= 0 ? std::optional(line) : std::nullopt;
}

/// Called by whatever may use MPI in this process: the rank itself while it waits, its thread
/// otherwise.
void NodeTileIterator::look_for_late_tiles() {
    if (!deadline_.is_on()) return;
    if (state_->stuck.load() == NodeState::told) end_stuck_process();
    const std::int64_t now = monotonic_nanoseconds();
    if (now < next_look_) return;
    next_look_ = now + nanoseconds(seconds_between_looks(deadline_));
    if (any_late(now)) alone_at_counters([&] { mark_late(now); });
    if (state_->late.load() > 0) report_now_and_then();
    end_if_stuck(now);
}

bool NodeTileIterator::any_late(std::int64_t now) const {
    for (int i = 0; i < node_ranks().size(); ++i) {
        const std::uint64_t word = held_by(i).word.load();
        if (word != 0 && !(word & HeldTile::is_late) && now >= held_by(i).late_at.load())
            return true;
    }
    return false;
}

void NodeTileIterator::mark_late(std::int64_t now) {
    for (int i = 0; i < node_ranks().size(); ++i) {
        HeldTile& held = held_by(i);
        std::uint64_t word = held.word.load();
        if (word == 0 || (word & HeldTile::is_late) || now < held.late_at.load()) continue;
        if (!held.word.compare_exchange_strong(word, word | HeldTile::is_late)) continue;
        ++state_->late;
        if (held.line.load() == HeldTile::unknown) held.line = lend(held, word);
    }
    // If every rank of the node that still takes tiles is late, other nodes get the node's
    // remaining tiles.
    if (nodes_ > 1 && state_->late.load() >= state_->ranks_left.load()) hand_over_chunk();
}

/// Returns the line of the log if another rank is to get the tile too.
std::int64_t NodeTileIterator::lend(const HeldTile& held, std::uint64_t word) {
    const bool lends = world_.size() > 1 && returned_.has_room_to_lend();
    std::fprintf(stderr, "warning: %s has run for %.0f s without a result%s\n",
                 name_of(held, word).c_str(), seconds_since(held.begun.load()),
                 lends ? ": another rank computes it too" : "");
    if (!lends) return HeldTile::none;
    exchange();  // others must learn that this rank is late before they see the tile done
    const std::uint32_t position = HeldTile::position(word);
    const std::int64_t known = returned_.append({ReturnedRange::Kind::lent,
                                                 TileFault::device_error,
                                                 static_cast<int>(held.rank.load()),
                                                 {position, position + 1}});
    state_->note_lines(known);
    return known - 1;
}

/// Whether every rank waits or is late, as far as this node knows.
bool NodeTileIterator::nothing_moves() const {
    const std::int64_t late = state_->late.load();
    if (late == 0) return false;
    // Ranks that stop have left and wait for the others elsewhere.
    if (state_->abandoned.load()) return late == tiles_held();
    if (nodes_ == 1) return state_->waiting.load() + late >= world_.size();
    return state_->world_idle.load() + state_->world_late.load() >= world_.size();
}

std::int64_t NodeTileIterator::tiles_held() const {
    std::int64_t held = 0;
    for (int i = 0; i < node_ranks().size(); ++i) held += held_by(i).word.load() != 0 ? 1 : 0;
    return held;
}

void NodeTileIterator::end_if_stuck(std::int64_t now) {
    const std::int64_t settled = state_->settled.load() + state_->world_settled.load();
    if (!nothing_moves() || settled != settled_then_) {
        settled_then_ = settled;
        still_since_ = now;
        return;
    }
    double patience = deadline_.stuck_after;
    if (state_->abandoned.load()) patience = std::min(patience, until_stopped);
    if (nodes_ > 1) patience = std::max(patience, until_heard_twice);
    if (now - still_since_ >= nanoseconds(patience)) end_stuck();
}

/// The first process that finds the run stuck prints why. Then the waiting processes leave by
/// themselves. The threads of the journals have synced them meanwhile.
void NodeTileIterator::end_stuck() {
    std::uint32_t nobody = NodeState::not_stuck;
    if (!state_->stuck.compare_exchange_strong(nobody, NodeState::telling)) return;
    for (int i = 0; i < node_ranks().size(); ++i) {
        const HeldTile& held = held_by(i);
        const std::uint64_t word = held.word.load();
        if (!(word & HeldTile::is_late)) continue;
        if (nodes_ == 1 || counters_.fetch_add(TileCounter::stuck, 1) == 0)
            say_stuck(name_of(held, word), seconds_since(held.begun.load()));
        state_->stuck = NodeState::told;
        std::this_thread::sleep_for(for_others_to_leave);
        end_stuck_process();
    }
    state_->stuck = NodeState::not_stuck;  // the tile has just finished
}

std::string NodeTileIterator::name_of(const HeldTile& held, std::uint64_t word) const {
    const Tile& tile = tiles_[HeldTile::position(word)];
    return "tile " + std::to_string(tile.id.value) + " of rank " +
           std::to_string(held.rank.load()) + " on " + host_name();
}

}  // namespace tessera::mpi
