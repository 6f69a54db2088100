// An asynchronous search over the ranks: rank 0 hands out points, and each rank gets new ones as
// soon as it has evaluated its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "engine/run_tiles.hpp"
#include "likelihood/fit/asynchronous_record.hpp"
#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/point_desk.hpp"
#include "mpi/communicator.hpp"

namespace tessera::likelihood {

/// The means of this rank; all must outlive the search.
struct PointRank {
    const mpi::Communicator& world;
    Objective& objective;  ///< of this rank, of all wedges
    const std::atomic<bool>& stop;
    TileRun<double>& run;       ///< receives what this rank does
    std::int64_t& tiles_total;  ///< counts the tasks of all ranks
};

/// On rank 0, while the others call serve_points(). Each rank but rank 0 has a second task waiting
/// while it evaluates the first; a thread of rank 0 hands out more while it evaluates itself.
/// `watch` is called between the tasks of rank 0. Returns whether the search came to its end and no
/// signal asked a rank to stop. Throws SharedError on all ranks if one fails.
bool hand_out_points(const PointRank& mine, PointDesk& desk, const std::function<void()>& watch,
                     PointShares& shares);

/// On the other ranks. Returns when rank 0 ends the search.
void serve_points(const PointRank& mine);

}  // namespace tessera::likelihood
