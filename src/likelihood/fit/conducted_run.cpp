#include "likelihood/fit/conducted_run.hpp"

#include <fmt/format.h>

#include "engine/run_notes.hpp"
#include "likelihood/fit/fit_devices.hpp"
#include "likelihood/fit/joint_objective.hpp"
#include "likelihood/fit/recorded_objective.hpp"
#include "likelihood/fit/shared_objective.hpp"
#include "likelihood/fit/stream_objective.hpp"

namespace tessera::likelihood {

namespace {

/// On rank 0: does the work and keeps its evaluations in the folder of the run.
void conduct_here(SharedObjective& shared, const Conductor& conductor, const std::string& name,
                  const std::function<void(const FitData&)>& work, Conducted& conducted) {
    struct Service {  // lets the other ranks return, even if this function throws
        SharedObjective& shared;
        ~Service() { shared.finish(); }
    } const service{shared};
    const io::PartialFolder& folder = *conductor.folder;
    RecordedObjective recorded(shared, folder.file("evaluations"), folder.key(), &shared);
    conducted.resumed = recorded.batches_resumed();
    const FitDevices devices(folder.file("devices"), folder.key(), conducted.resumed,
                             conductor.devices);
    conducted.resumed_devices = devices.resumed_devices();
    if (conducted.resumed > 0)
        engine::say(
            conductor.speaks,
            fmt::format("goes on after {} batches of evaluations done before", conducted.resumed));
    if (devices.differ())
        engine::say(conductor.speaks,
                    fmt::format("note: batches done before are of another kind of device ({}): "
                                "last bits may differ between kinds",
                                conducted.resumed_devices));
    try {
        JointObjective joint(recorded, *conductor.problem.space,
                             conductor.problem.stars_of_wedges());
        work({joint, recorded});
    } catch (const Stopped&) {
        throw Error("stopped before the " + name + " was complete", "a signal asked for it",
                    "start the same command again, which goes on after the evaluations that are "
                    "done",
                    ExitCode::requeue);
    }
}

}  // namespace

Conducted conduct(const mpi::Communicator& ranks, const Conductor& conductor,
                  const std::string& name, const std::function<void(const FitData&)>& work,
                  io::RunRecord& record) {
    StreamObjective mine(*conductor.problem.space, conductor.evaluators);
    SharedObjective shared(ranks, mine, conductor.stop.flag(), conductor.refitter);
    Conducted conducted;
    ranks.together([&] {
        record.time_phase(name, [&] {
            if (ranks.is_root())
                conduct_here(shared, conductor, name, work, conducted);
            else
                shared.serve();
        });
    });
    conducted.run = shared.run();
    conducted.tiles_total = shared.tiles_total();
    return conducted;
}

}  // namespace tessera::likelihood
