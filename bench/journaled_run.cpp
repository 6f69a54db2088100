// This program measures what the journal costs in a whole run. It computes the same tiles with and
// without it, in turns, on one rank.
//
//   bench_journaled_run dock RECEPTOR LIGAND [--spacing 2] [--rotations 1536] [--rounds 5]
//                       [--folder .] [--device auto]
//   bench_journaled_run orbital WAVEFUNCTIONS [--spacing 0.3] ...
//   bench_journaled_run likelihood PARAMETERS STARS ...
//
// `orbital` computes the norms of all occupied orbitals of all frames, and `likelihood` the exact
// integration of one wedge. "with" contains everything that the journal adds: its folder with the
// file of the run's identity, a record per tile, the thread that brings the records to the disk,
// and the end. "inside" is the time in the journal's calls alone, which the noise of a shared
// machine does not hide. --spacing is in Angstrom.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/command_line.hpp"
#include "core/units.hpp"
#include "docking/search/dock_workload.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "docking/setup/prepare.hpp"
#include "engine/run_tiles.hpp"
#include "engine/tile_journal.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/exact/workload.hpp"
#include "likelihood/model/input.hpp"
#include "mpi/communicator.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"
#include "mpi/session.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Processor time of all threads of the process.
double processor_seconds() {
    timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Options {
    double spacing = 0;  ///< Angstrom; 0: the workload's default
    std::int64_t rotations = 1536;
    int rounds = 5;
    std::string folder = ".", device = "auto";
};

/// A journal that times its calls.
template <class Payload>
class TimedJournal {
  public:
    TimedJournal(const mpi::Communicator& world, const JournalRequest& request) {
        timed([&] { disk_ = std::make_unique<DiskJournal<Payload>>(world, request); });
    }
    bool contains(TileId id) const { return disk_->contains(id); }
    std::vector<TilePartial<Payload>> restored() { return disk_->restored(); }
    void append(const TilePartial<Payload>& partial) {
        timed([&] { disk_->append(partial); });
    }
    double end() {
        timed([&] {
            disk_->close(false);
            disk_->remove();
            disk_.reset();
        });
        return seconds_;
    }

  private:
    void timed(const std::function<void()>& work) {
        const auto start = Clock::now();
        work();
        seconds_ += seconds_since(start);
    }

    double seconds_ = 0;
    std::unique_ptr<DiskJournal<Payload>> disk_;
};

struct Times {
    double wall = 0, processor = 0, inside = 0;
};

/// Computes all tiles of the workload once.
template <class Workload>
Times pass(const mpi::Communicator& world, Workload& workload, const std::vector<Tile>& tiles,
           const std::string* output) {
    using Payload = typename Workload::Payload;
    mpi::NodeTileIterator source(world, tiles);
    Times times;
    const double processor = processor_seconds();
    const auto start = Clock::now();
    if (output) {
        TimedJournal<Payload> journal(
            world, {*output, {"bench", "", "", static_cast<std::int64_t>(tiles.size())}, "device"});
        run_tiles(workload, source, journal);
        times.inside = journal.end();
    } else {
        NoJournal<Payload> none;
        run_tiles(workload, source, none);
    }
    times.wall = seconds_since(start);
    times.processor = processor_seconds() - processor;
    return times;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// Runs with and without the journal in turns. Every round changes which comes first.
template <class Workload>
void compare(const mpi::Communicator& world, Workload& workload, std::int64_t count,
             std::int64_t per_tile, const Options& options) {
    const auto tiles = cut_into_tiles(count, per_tile);
    const std::string output = options.folder + "/bench_journaled_run.h5";
    pass(world, workload, tiles, nullptr);
    std::vector<double> walls, processors, insides, whole;
    for (int round = 0; round < options.rounds; ++round) {
        Times with, without;
        for (const bool journaled : {round % 2 == 0, round % 2 != 0})
            (journaled ? with : without) =
                pass(world, workload, tiles, journaled ? &output : nullptr);
        walls.push_back(with.wall / without.wall);
        processors.push_back(with.processor / without.processor);
        insides.push_back(with.inside / with.wall);
        whole.push_back(with.wall);
    }
    std::printf("%zu tiles, %.2f s with the journal; medians of %d rounds\n", tiles.size(),
                median(whole), options.rounds);
    std::printf(
        "with over without: wall time %.4f, processor time %.4f; inside the journal's calls "
        "%.3f %% of the time (largest %.3f %%)\n",
        median(walls), median(processors), 100 * median(insides),
        100 * *std::ranges::max_element(insides));
}

void time_docking(const mpi::Communicator& world, const std::vector<std::string>& files,
                  const Options& options, const kernels::DeviceInfo& device) {
    docking::DockInput input;
    input.receptor_path = files.at(1);
    input.ligand_path = files.at(2);
    input.spacing = options.spacing > 0 ? options.spacing : 2;
    input.rotations = options.rotations;
    input.consensus.refine = 0;
    const auto prepared = docking::prepare(input, docking::choose_rotations(input));
    const auto search = kernels::make_correlation_search(device.backend, prepared.problem,
                                                         device.available_bytes * 9 / 10);
    docking::DockWorkload workload(*search, prepared.rotations,
                                   docking::restraint_filter(prepared));
    std::printf("docking, grid %d^3, %zu sets: ", prepared.frame.n, input.sets.size());
    compare(world, workload, static_cast<std::int64_t>(prepared.rotations.bases.size()),
            docking::bases_per_tile(prepared.rotations), options);
}

void time_orbitals(const mpi::Communicator& world, const std::vector<std::string>& files,
                   const Options& options, const kernels::DeviceInfo& device) {
    orbitals::OrbitalInput input;
    input.paths = {files.begin() + 1, files.end()};
    input.orbitals = "occupied";
    const double spacing = (options.spacing > 0 ? options.spacing : 0.3) / units::bohr_in_angstrom;
    input.spacing = spacing * Vec3{1, 1, 1};
    input.grids = false;
    std::vector<std::string> messages;
    const auto prepared = orbitals::prepare(input, orbitals::read_frames(input, messages));
    const auto evaluator = kernels::make_orbital_evaluator(device.backend);
    orbitals::OrbitalWorkload workload(*evaluator, input, prepared);
    std::printf("orbitals, %zu frames of %zu orbitals, %lld points: ", prepared.frames.size(),
                prepared.selection.size(), static_cast<long long>(prepared.grid.size()));
    compare(world, workload, static_cast<std::int64_t>(prepared.tiles.size()), 1, options);
}

void time_likelihood(const mpi::Communicator& world, const std::vector<std::string>& files,
                     const Options& options, const kernels::DeviceInfo& device) {
    likelihood::LikelihoodInput input;
    input.parameters = {files.at(1)};
    input.stars = {files.at(2)};
    const auto wedges = likelihood::read_wedges(input);
    likelihood::ExactWorkload workload(wedges, input.evaluation, device.backend);
    workload.prepare();
    std::printf("likelihood, %zu stars: ", wedges[0].stars.size());
    compare(world, workload, static_cast<std::int64_t>(workload.tiles().size()), 1, options);
}

int run(int argc, char** argv) {
    CommandLine line(argc, argv);
    Options options;
    line.take("--spacing", options.spacing);
    line.take("--rotations", options.rotations);
    line.take("--rounds", options.rounds);
    line.take("--folder", options.folder);
    line.take("--device", options.device);
    const auto& words = line.rest();
    const std::string mode = words.empty() ? "" : words[0];
    const bool two_files = words.size() == 3, orbitals = mode == "orbital" && words.size() > 1;
    if (!orbitals && !(two_files && (mode == "dock" || mode == "likelihood")))
        throw Error("nothing to do",
                    "give dock or likelihood with two files, or orbital with one or more",
                    "see the head of the source");
    const mpi::Communicator world = mpi::Communicator::world();
    const kernels::DeviceRuntime runtime({options.device});
    std::printf("%s (%s, %d threads): ", runtime.info().name.c_str(),
                kernels::name_of(runtime.info().backend).c_str(), runtime.info().threads);
    const auto time = mode == "dock" ? time_docking : orbitals ? time_orbitals : time_likelihood;
    time(world, words, options, runtime.info());
    return 0;
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    const tessera::mpi::Session session(argc, argv);
    return session.run([&] { return tessera::bench::run(argc, argv); });
}
