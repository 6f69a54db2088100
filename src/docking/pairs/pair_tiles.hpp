// The tiles of one pair that a rank computes, as run_tiles asks for them.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "core/tile.hpp"
#include "core/tile_fault.hpp"
#include "docking/pairs/seconds_now.hpp"
#include "mpi/request_server.hpp"
#include "mpi/scheduling/tile_lists.hpp"

namespace tessera::docking {

/// Takes tiles from the list that all ranks share. It takes several at a time if they are short.
/// After the first tile that fails on this rank, next() returns no more tiles.
class PairTiles {
  public:
    /// `first`: the tiles that have been taken already. `server` answers ranks on other machines
    /// while a tile is computed. It is null if there are no such ranks.
    PairTiles(mpi::TileLists& lists, int pair, mpi::ListRange first, const std::vector<Tile>& tiles,
              mpi::RequestServer* server)
        : lists_(&lists), pair_(pair), tiles_(tiles), server_(server) {
        draw(first);
    }
    /// Only the tiles `asked`, which other ranks have returned.
    PairTiles(std::vector<std::int64_t> asked, const std::vector<Tile>& tiles,
              mpi::RequestServer* server)
        : drawn_(asked.begin(), asked.end()), tiles_(tiles), server_(server) {}
    ~PairTiles() { close_server(); }
    PairTiles(const PairTiles&) = delete;
    PairTiles& operator=(const PairTiles&) = delete;

    std::optional<Tile> next() {
        close_server();
        if (fault_) return std::nullopt;
        if (drawn_.empty()) {
            const auto range = lists_ ? lists_->take(pair_, tiles_a_draw()) : std::nullopt;
            if (!range) return std::nullopt;
            draw(*range);
        }
        held_ = drawn_.front();
        drawn_.pop_front();
        if (server_) server_->open();
        began_ = seconds_now();
        return tiles_[static_cast<std::size_t>(held_)];
    }

    bool finished() { return true; }

    /// Keeps the present tile and the tiles drawn with it in returned(), for other ranks.
    HandedOn give_back(TileFault fault, bool) {
        close_server();
        fault_ = fault;
        drawn_.push_front(held_);
        return {};
    }
    /// How a tile failed. It is the first of returned() then.
    std::optional<TileFault> fault() const { return fault_; }
    std::vector<std::int64_t> returned() const { return {drawn_.begin(), drawn_.end()}; }

    /// Ends the present tile. Returns the seconds since next() handed it out.
    double end_tile() {
        close_server();
        const double seconds = seconds_now() - began_;
        seconds_ += seconds;
        ++done_;
        return seconds;
    }

  private:
    static constexpr double seconds_a_draw = 0.1;

    std::int64_t tiles_a_draw() const {
        const double fit = seconds_ > 0 ? seconds_a_draw * done_ / seconds_ : 1;
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(fit), 1, 64);
    }

    void draw(mpi::ListRange range) {
        for (std::int64_t i = range.begin; i < range.end; ++i) drawn_.push_back(i);
    }

    /// After this call the rank may call MPI itself again.
    void close_server() {
        if (server_) server_->close();
    }

    mpi::TileLists* lists_ = nullptr;
    int pair_ = -1;
    std::deque<std::int64_t> drawn_;
    std::int64_t held_ = 0;
    std::optional<TileFault> fault_;
    const std::vector<Tile>& tiles_;
    mpi::RequestServer* server_;
    double began_ = 0, seconds_ = 0;
    int done_ = 0;
};

}  // namespace tessera::docking
