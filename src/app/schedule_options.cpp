#include "app/schedule_options.hpp"

#include <cstdint>
#include <string>

#include "app/option_checks.hpp"
#include "core/error.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

constexpr const char* group = "Schedule (docs/reference/options.md)";

}  // namespace

CLI::Validator device_names() {
    const auto check = [](std::string& text) -> std::string {
        try {
            kernels::read_device_names(text);
            return "";
        } catch (const Error&) {
            return "'" + io::one_line(text, 40) +
                   "' is neither auto nor a list of cuda, cuda:N, cpu, openmp and serial, such as "
                   "cuda:0,cuda:3";
        }
    };
    return {check, ""};
}

void declare_device_options(CLI::App& command, kernels::DeviceChoice& device) {
    command
        .add_option("--device", device.names,
                    "what computes: cuda (a GPU), cuda:N (the GPU of this number), openmp or cpu "
                    "(all cores of the rank), serial (one core), or auto (a GPU in a CUDA build, "
                    "otherwise openmp); the ranks of a node take those of a list in turn, such as "
                    "cuda:0,cuda:3")
        ->check(device_names());
    command
        .add_option("--gpu-fraction", device.gpu_fraction,
                    "part of a GPU's memory that a rank plans with, for several processes on one "
                    "GPU")
        ->check(number_above_0(1));
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
