#include "likelihood/fit/conducted_run.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/run_notes.hpp"
#include "io/text/counted.hpp"
#include "likelihood/fit/fit_devices.hpp"
#include "likelihood/fit/joint_objective.hpp"
#include "likelihood/fit/recorded_objective.hpp"
#include "likelihood/fit/shared_objective.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/fit/verified_objective.hpp"

namespace tessera::likelihood {

namespace {

/// Collective. On rank 0: the names of all ranks, and which of them have equal devices.
std::vector<PointGuest> guests_of(const mpi::Communicator& ranks, const std::string& device_kind) {
    const std::string mine = engine::place_of(ranks) + '\n' + device_kind;
    std::vector<PointGuest> guests;
    std::map<std::string, int> kinds;
    ranks.gather_bytes(std::as_bytes(std::span(mine)), [&](int, std::span<const std::byte> bytes) {
        const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::size_t end = text.find('\n');
        const auto kind = kinds.emplace(text.substr(end + 1), static_cast<int>(kinds.size())).first;
        guests.push_back({text.substr(0, end), kind->second});
    });
    return guests;
}

/// On rank 0: does the work and keeps its evaluations in the folder of the run.
void conduct_here(SharedObjective& shared, const Conductor& conductor,
                  std::vector<PointGuest> guests, const std::string& name,
                  const std::function<void(const FitData&)>& work, Conducted& conducted) {
    struct Service {  // lets the other ranks return, even if this function throws
        SharedObjective& shared;
        ~Service() { shared.finish(); }
    } const service{shared};
    const io::PartialFolder& folder = *conductor.folder;
    const MaximisePlan& plan = conductor.problem.plan;
    const auto warn = [&](const std::string& line) { engine::say(conductor.speaks, line); };
    std::optional<VerifiedObjective> verified;
    if (plan.verify > 0 && !plan.asynchronous)
        verified.emplace(shared, VerifiedObjective::Options{plan.verify, plan.seed, guests, warn});
    Objective& answers = verified ? static_cast<Objective&>(*verified) : shared;
    RecordedObjective recorded(answers, folder.file("evaluations"), folder.key(), &shared);
    std::optional<AsynchronousSearch> search;
    if (plan.asynchronous)
        search.emplace(
            shared, folder.file("search"), folder.key(),
            AsynchronousSearch::Options{plan.verify, plan.seed, std::move(guests), warn});
    conducted.resumed = recorded.batches_resumed() + (search ? search->points_resumed() : 0);
    const FitDevices devices(folder.file("devices"), folder.key(), conducted.resumed,
                             conductor.devices);
    conducted.resumed_devices = devices.resumed_devices();
    if (conducted.resumed > 0)
        engine::say(conductor.speaks,
                    fmt::format("goes on after {} of evaluations done before",
                                io::counted(conducted.resumed, "batch", "batches")));
    if (devices.differ())
        engine::say(conductor.speaks,
                    fmt::format("note: batches done before are of another kind of device ({}): "
                                "last bits may differ between kinds",
                                conducted.resumed_devices));
    try {
        JointObjective joint(recorded, *conductor.problem.space,
                             conductor.problem.stars_of_wedges());
        work({joint, recorded, search ? &*search : nullptr, &recorded});
        if (search) conducted.asynchronous = search->record();
        if (verified) conducted.asynchronous = verified->record();
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
    JointObjective whole(mine, *conductor.problem.space, conductor.problem.stars_of_wedges());
    Objective& answers = conductor.answers ? *conductor.answers : mine;
    SharedObjective shared(ranks, answers, conductor.stop.flag(), conductor.refitter, &whole);
    Conducted conducted;
    std::vector<PointGuest> guests = guests_of(ranks, conductor.device_kind);
    ranks.together([&] {
        record.time_phase(name, [&] {
            if (ranks.is_root())
                conduct_here(shared, conductor, std::move(guests), name, work, conducted);
            else
                shared.serve();
        });
    });
    conducted.run = shared.run();
    conducted.tiles_total = shared.tiles_total();
    return conducted;
}

}  // namespace tessera::likelihood
