#include "app/schedule_options.hpp"

#include <cstdint>

#include "app/option_checks.hpp"

namespace tessera::app {

namespace {

constexpr const char* group = "Schedule (docs/reference/options.md)";

}  // namespace

void declare_device_option(CLI::App& command, std::string& device) {
    command.add_option("--device", device,
                       "what computes: cuda (a GPU), openmp (all cores of the rank), serial (one "
                       "core), or auto (a GPU in a CUDA build, otherwise openmp)");
}

void declare_deadline_options(CLI::App& command, TileDeadline& deadline) {
    deadline.factor = 20;
    command
        .add_option("--tile-deadline", deadline.factor,
                    "a tile is late after this many times the usual time of the rank's tiles; "
                    "another rank then computes it too; 0: no tile is late")
        ->check(number_from_0(1e6))
        ->group(group);
    command
        .add_option("--tile-deadline-least", deadline.least,
                    "no tile is late before this many seconds; the first tiles of a rank get 12 "
                    "times as long")
        ->check(number_above_0(1e6))
        ->group(group);
    command
        .add_option("--stuck-after", deadline.stuck_after,
                    "a run that waits only for late tiles ends after this many seconds, with exit "
                    "code 75")
        ->check(number_above_0(1e6))
        ->group(group);
}

void declare_schedule_options(CLI::App& command, mpi::NodeTileOptions& schedule) {
    declare_deadline_options(command, schedule.deadline);
    command
        .add_option("--ranks-per-node", schedule.ranks_per_fake_node,
                    "for tests: hand tiles out as if this many ranks shared a node; 0: use the "
                    "real nodes")
        ->check(whole_number<int>())
        ->group(group);
    command
        .add_option("--shuffle-tiles", schedule.shuffle_seed,
                    "for tests: hand tiles out in a random order with this seed")
        ->check(whole_number<std::uint64_t>())
        ->group(group);
}

}  // namespace tessera::app
