#include "likelihood/run/evaluate_wedges.hpp"

#include <memory>
#include <new>
#include <utility>

#include "engine/guarded_workload.hpp"
#include "engine/run_notes.hpp"
#include "engine/run_tiles.hpp"
#include "engine/run_workload.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "likelihood/compressed/workload.hpp"
#include "mpi/gather_by_tile.hpp"

namespace tessera::likelihood {

namespace {

/// Collective. Runs all tiles and returns their partials in tile order, on rank 0.
template <class Workload, class Journal>
auto run_and_gather(const mpi::Communicator& world, const LikelihoodJob& job,
                    mpi::NodeTileIterator& tiles, const std::shared_ptr<Workload>& on_device,
                    Journal& journal, io::RunRecord& record) {
    GuardedWorkload workload(*on_device, on_device);
    const auto run =
        engine::run_workload(world, workload, tiles, journal,
                             {"likelihood", "tiles", job.device, job.stop, job.quiet}, record);
    return engine::gather_partials(world, run, record);
}

/// Loads the tables of the first wedge before tiles are handed out. If this fails, the first tile
/// of the rank fails too, and other ranks take it over.
void prepare(const std::shared_ptr<ExactWorkload>& workload) {
    try {
        kernels::guard_device([&] { workload->prepare(); });
    } catch (const DeviceLost&) {
        keep_for_good(workload);
    } catch (const TileFailure&) {
    } catch (const std::bad_alloc&) {
    }
}

}  // namespace

std::int64_t number_of_tiles(const LikelihoodInput& input, const std::vector<WedgeInput>& wedges) {
    return static_cast<std::int64_t>(
        input.integration == Integration::exact ? cut_exact_tiles(wedges).size() : wedges.size());
}

std::vector<Evaluation> evaluate_exactly(const mpi::Communicator& world, const LikelihoodJob& job,
                                         mpi::NodeTileIterator& tiles, ExactJournal& journal,
                                         io::RunRecord& record) {
    for (const std::string& message : journal.messages())
        engine::say(world.is_root() && !job.quiet, message);
    const auto workload =
        std::make_shared<ExactWorkload>(job.wedges, job.input.evaluation, job.device.backend);
    world.together([&] { record.time_phase("prepare", [&] { prepare(workload); }); });
    const auto partials = run_and_gather(world, job, tiles, workload, journal, record);
    record.resumed_devices = journal.resumed_devices();
    std::vector<Evaluation> evaluations;
    world.together([&] {
        if (world.is_root())
            evaluations = combine_exact(job.wedges, partials, job.input.wanted(),
                                        job.input.evaluation.allow_empty_streams);
    });
    return evaluations;
}

std::vector<Evaluation> evaluate_compressed(const mpi::Communicator& world,
                                            const LikelihoodJob& job, mpi::NodeTileIterator& tiles,
                                            io::RunRecord& record) {
    const auto workload =
        std::make_shared<CompressedWorkload>(job.wedges, job.input, job.device.backend);
    NoJournal<CompressedWorkload::Payload> none;
    const auto partials = run_and_gather(world, job, tiles, workload, none, record);
    std::vector<Evaluation> evaluations;
    world.together([&] {
        for (const auto& partial : partials) evaluations.push_back(unpack(partial.records));
    });
    return evaluations;
}

}  // namespace tessera::likelihood
