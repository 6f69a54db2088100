// The queue of one pair's tiles, as run_tiles sees it on one rank.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/pairs/seconds_now.hpp"
#include "core/tile.hpp"
#include "mpi/request_server.hpp"
#include "mpi/tile_lists.hpp"

namespace tessera::cli {

/// Takes tiles from the list that all ranks share, a few at a time by how long they take.
class PairTiles {
  public:
    /// `first`: what has been taken already. `server` answers other machines' ranks while a tile is
    /// computed; null where there are none.
    PairTiles(mpi::TileLists& lists, int pair, mpi::ListRange first, const std::vector<Tile>& tiles,
              mpi::RequestServer* server)
        : lists_(lists), pair_(pair), range_(first), tiles_(tiles), server_(server) {}
    ~PairTiles() { close_server(); }
    PairTiles(const PairTiles&) = delete;
    PairTiles& operator=(const PairTiles&) = delete;

    std::optional<Tile> next() {
        close_server();
        if (range_.size() == 0) {
            const auto range = lists_.take(pair_, tiles_a_draw());
            if (!range) return std::nullopt;
            range_ = *range;
        }
        if (server_) server_->open();
        began_ = seconds_now();
        return tiles_[static_cast<std::size_t>(range_.begin++)];
    }

    /// Seconds since next() handed out the present tile.
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

    /// This rank may call MPI itself again.
    void close_server() {
        if (server_) server_->close();
    }

    mpi::TileLists& lists_;
    int pair_;
    mpi::ListRange range_;
    const std::vector<Tile>& tiles_;
    mpi::RequestServer* server_;
    double began_ = 0, seconds_ = 0;
    int done_ = 0;
};

}  // namespace tessera::cli
