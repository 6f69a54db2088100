#include "app/fit_device.hpp"

#include <fmt/format.h>

#include "engine/able_ranks.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "engine/tile_watch.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/text/counted.hpp"
#include "likelihood/model/evaluation_checks.hpp"

namespace tessera::app {

std::string size_text(const likelihood::FitProblem& problem) {
    const std::size_t wedges = problem.wedges.size();
    return fmt::format("{}{}, {}",
                       wedges == 1 ? "" : fmt::format("{} wedges with one background, ", wedges),
                       io::counted(problem.number_of_stars(), "star"),
                       io::counted(problem.space->dimension(), "free parameter"));
}

std::unique_ptr<io::PartialFolder> open_folder(const std::string& output, bool force,
                                               const io::RunIdentity& identity,
                                               const StopFlag& stop) {
    auto folder = std::make_unique<io::PartialFolder>(output, identity, force, io::lock_patience(),
                                                      &stop.flag());
    // The previous owner of the folder may have finished the same run.
    io::check_output_path(output, force);
    return folder;
}

int run_with_evaluator(const mpi::Communicator& world, const likelihood::LikelihoodInput& input,
                       const likelihood::FitProblem& problem, const FitRunOptions& options,
                       io::RunRecord& record,
                       const std::function<int(const mpi::Communicator&, const FitDevice&)>& use) {
    const TileWatch watch(options.deadline, engine::place_of(world));
    FitDevice device;
    device.runtime = record.time_phase("start device",
                                       [&] { return engine::start_device(world, options.device); });
    const auto start_evaluator = [&] {
        record.time_phase("start device", [&] {
            device.evaluators = likelihood::make_evaluators(input, problem, device.info().backend);
        });
    };
    return engine::run_where_started(
        world, start_evaluator, [&](const mpi::Communicator& ranks) { return use(ranks, device); });
}

void note_conducted(const mpi::Communicator& ranks, const FitDevice& device,
                    const likelihood::Conducted& done, bool speaks, io::RunRecord& record) {
    engine::note_run(ranks, device.info(), done.run, done.tiles_total, record);
    engine::note_devices_lost_since(ranks, done.run, "device lost at the end", record);
    record.tiles_resumed = done.resumed;
    record.resumed_devices = done.resumed_devices;
    engine::say_balance(speaks, record);
}

}  // namespace tessera::app
