#include "app/one_docking.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "docking/run/ensemble_run.hpp"
#include "docking/run/search_run.hpp"
#include "docking/search/dock_workload.hpp"
#include "engine/able_ranks.hpp"
#include "engine/agreement.hpp"
#include "engine/resume.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"

namespace tessera::app {

namespace {

using kernels::PoseRecord;
using Search = std::shared_ptr<kernels::CorrelationSearch>;

std::string memory_line(const kernels::SearchMemory& memory, int members) {
    std::string line = fmt::format(
        "memory: {:.2f} GiB planned (receptor {:.2f}, ligand {:.2f}, scores {:.2f}, FFT {:.2f})",
        memory.total() / 0x1p30, memory.receptor_bytes / 0x1p30, memory.ligand_bytes / 0x1p30,
        memory.score_bytes / 0x1p30, memory.workspace_bytes / 0x1p30);
    if (memory.members_resident < members)
        line += fmt::format("; receptor spectra recomputed for {} of {} orbit members at a time",
                            memory.members_resident, members);
    return line;
}

/// Collective. The poses of the pair of partners, or of all pairs of their conformers.
docking::SortedPoses find_poses(const mpi::Communicator& ranks, const OneDocking& one,
                                Search& search, DiskJournal<PoseRecord>& journal,
                                io::RunRecord& record) {
    const auto& options = one.options;
    if (one.prepared.ensemble.combinations() > 1)
        return docking::dock_ensemble(ranks,
                                      {one.input, one.prepared, one.device, search, one.stop,
                                       options.schedule, options.memory_gib, options.quiet},
                                      journal, record);
    mpi::NodeTileIterator tiles(ranks, docking::tiles_of(one.prepared.rotations), options.schedule);
    return docking::search_and_refine(ranks,
                                      {one.input, one.prepared, one.device, search, one.stop,
                                       options.schedule.deadline, options.quiet},
                                      tiles, journal, record);
}

/// Collective over the ranks that have a search.
void search_and_keep(const mpi::Communicator& ranks, const OneDocking& one,
                     const io::RunIdentity& identity, Search& search, io::RunRecord& record,
                     const KeepDocking& keep) {
    const bool speaks = ranks.is_root() && !one.options.quiet;
    engine::announce_devices(ranks, one.device, speaks && !one.of_table, record);
    engine::say(speaks && !one.of_table,
                memory_line(search->memory(), static_cast<int>(one.prepared.problem.group.size())));
    DiskJournal<PoseRecord> journal(ranks, engine::journal_request(one.output, identity, one.device,
                                                                   one.options.force, &one.stop));
    for (const std::string& message : journal.messages()) engine::say(speaks, message);
    docking::SortedPoses sorted = find_poses(ranks, one, search, journal, record);
    ranks.together([&] {
        if (ranks.is_root()) keep(std::move(sorted), journal, record);
    });
}

}  // namespace

void dock_one(const mpi::Communicator& world, const OneDocking& one, io::RunRecord& record,
              const KeepDocking& keep) {
    const docking::PreparedDocking& prepared = one.prepared;
    const auto pairs = static_cast<std::int64_t>(prepared.ensemble.combinations());
    const io::RunIdentity identity =
        engine::agreed_identity(world, "dock", docking::hash_with_rotations(prepared),
                                pairs * std::ssize(docking::tiles_of(prepared.rotations)));
    Search search;
    const auto start_search = [&] {
        const kernels::DeviceInfo& device = one.device;
        record.time_phase("start device", [&] {
            search = kernels::kept_if_lost(kernels::make_correlation_search(
                device.backend, prepared.problem,
                kernels::memory_budget(device.backend, device.available_bytes,
                                       one.options.memory_gib)));
        });
    };
    engine::run_where_started(world, start_search, [&](const mpi::Communicator& ranks) {
        search_and_keep(ranks, one, identity, search, record, keep);
        return 0;
    });
}

}  // namespace tessera::app
