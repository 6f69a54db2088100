#include "app/schedule_options.hpp"

#include <cstdint>

#include "app/option_checks.hpp"

namespace tessera::app {

void declare_deadline_options(CLI::App& command, TileDeadline& deadline) {
    deadline.factor = 20;
    command
        .add_option(
            "--tile-deadline", deadline.factor,
            "a tile is late, and done by another rank too, after so many times what the rank's "
            "tiles usually take; 0: never")
        ->check(number_from_0(1e6))
        ->group("Schedule (docs/reference/options.md)");
    command
        .add_option("--tile-deadline-least", deadline.least,
                    "seconds before which no tile is late; a rank's first tiles: 12 times so many")
        ->check(number_above_0(1e6))
        ->group("Schedule (docs/reference/options.md)");
    command
        .add_option(
            "--stuck-after", deadline.stuck_after,
            "seconds after which a run that waits for late tiles alone ends, with exit code 75")
        ->check(number_above_0(1e6))
        ->group("Schedule (docs/reference/options.md)");
}

void declare_schedule_options(CLI::App& command, mpi::NodeTileOptions& schedule) {
    declare_deadline_options(command, schedule.deadline);
    command
        .add_option("--ranks-per-node", schedule.ranks_per_fake_node,
                    "hand tiles out as if so many ranks were a node; 0: as the machines are")
        ->check(whole_number<int>())
        ->group("Schedule (docs/reference/options.md)");
    command
        .add_option("--shuffle-tiles", schedule.shuffle_seed,
                    "hand tiles out in the random order of this seed")
        ->check(whole_number<std::uint64_t>())
        ->group("Schedule (docs/reference/options.md)");
}

}  // namespace tessera::app
