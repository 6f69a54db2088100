#include "cli/dock_command.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/build_record.hpp"
#include "cli/run_common.hpp"
#include "core/stop_flag.hpp"
#include "docking/dock_result.hpp"
#include "docking/dock_workload.hpp"
#include "docking/prepare.hpp"
#include "docking/report.hpp"
#include "docking/second_stage.hpp"
#include "io/progress.hpp"
#include "io/result_file.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/node_tile_iterator.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

namespace {

using docking::DockInput;
using docking::DockResult;
using docking::PreparedDocking;
using kernels::PoseRecord;

/// Memory a rank may take: asked for, or nine tenths of what is free on a GPU and half on a host
/// (whose page cache and other ranks live there too).
std::int64_t memory_budget(const kernels::DeviceInfo& device, double asked_gib) {
    if (asked_gib > 0) return static_cast<std::int64_t>(asked_gib * 0x1p30);
    const std::int64_t free = device.available_bytes;
    return device.backend == kernels::Backend::cuda ? free - free / 10 : free / 2;
}

/// Clusters and qualities of the ranked lists.
DockResult finish_result(const DockInput& input, const PreparedDocking& prepared,
                         std::vector<docking::PoseList> lists) {
    DockResult result;
    result.frame = prepared.frame;
    result.receptor_sha256 = prepared.receptor_sha256;
    result.ligand_sha256 = prepared.ligand_sha256;
    for (std::int64_t r = 0; r < prepared.rotations.size(); ++r) {
        const Quaternion q = prepared.rotations[r];
        result.rotations.push_back(q.w < 0 ? Quaternion{-q.w, -q.x, -q.y, -q.z} : q);
    }
    result.lists = std::move(lists);
    for (const docking::PoseList& list : result.lists) {
        std::vector<Quaternion> rotations;
        for (const docking::Pose& pose : list.poses)
            rotations.push_back(result.rotations[pose.rotation]);
        result.clusters.push_back(docking::cluster_poses(
            list.poses, rotations, prepared.frame.ligand_center, prepared.receptor_structure,
            prepared.ligand_structure, input.clustering));
        if (!prepared.evaluation) continue;
        std::vector<docking::PoseQuality> quality(list.poses.size());
#pragma omp parallel for schedule(dynamic, 16)
        for (std::size_t i = 0; i < list.poses.size(); ++i)
            quality[i] = (*prepared.evaluation)(rotations[i], prepared.frame.ligand_center,
                                                list.poses[i].translation);
        result.quality.push_back(std::move(quality));
    }
    return result;
}

void broadcast(const mpi::Communicator& world, docking::RotationSet& rotations) {
    world.broadcast(rotations.bases);
    world.broadcast(rotations.group);
    world.broadcast(rotations.description);
}

std::string memory_line(const kernels::SearchMemory& memory, int members) {
    std::string line = fmt::format(
        "memory: {:.2f} GiB planned (receptor {:.2f}, ligand {:.2f}, scores {:.2f}, FFT {:.2f})",
        memory.total() / 0x1p30, memory.receptor_bytes / 0x1p30, memory.ligand_bytes / 0x1p30,
        memory.score_bytes / 0x1p30, memory.workspace_bytes / 0x1p30);
    if (memory.members_resident < members)
        line += fmt::format("; receptor spectra made anew for {} of {} orbit members at a time",
                            memory.members_resident, members);
    return line;
}

}  // namespace

int DockCommand::run(const mpi::Communicator& world, const std::string& command_line) {
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    PreparedDocking prepared;
    docking::RotationSet rotations;
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
        if (world.is_root()) rotations = docking::choose_rotations(input_);
    });
    broadcast(world, rotations);
    world.together([&] {
        prepared = record.time_phase(
            "prepare", [&] { return docking::prepare(input_, std::move(rotations)); });
    });
    for (const std::string& message : prepared.messages) say(speaks, message);

    mpi::NodeTileIterator tiles(
        world, cut_into_tiles(static_cast<std::int64_t>(prepared.rotations.bases.size()),
                              docking::bases_per_tile(prepared.rotations)));
    std::unique_ptr<kernels::DeviceRuntime> device;
    std::unique_ptr<kernels::CorrelationSearch> search;
    world.together([&] {
        record.time_phase("start device", [&] {
            device = std::make_unique<kernels::DeviceRuntime>(kernels::DeviceRequest{
                options_.device, tiles.node().rank(), tiles.node().size(), 0});
            search = kernels::make_correlation_search(
                device->info().backend, prepared.problem,
                memory_budget(device->info(), options_.memory_gib));
        });
    });
    say(speaks, fmt::format("device: {} ({}), {} rank{}", device->info().name,
                            kernels::name_of(device->info().backend), world.size(),
                            world.size() > 1 ? "s" : ""));
    say(speaks, memory_line(search->memory(), static_cast<int>(prepared.problem.group.size())));

    docking::DockWorkload workload(*search, prepared.rotations);
    NoJournal<PoseRecord> journal;
    const StopFlag stop;
    io::ProgressOptions progress_options;
    progress_options.quiet = !speaks;
    io::Progress progress("docking", tiles.tiles_total(), progress_options);
    TileRun<PoseRecord> run;
    world.together([&] {
        record.time_phase("search", [&] {
            run = run_tiles(workload, tiles, journal,
                            {&stop.flag(), [&] { progress.update(tiles.tiles_handed_out()); }});
        });
    });
    require_whole(world, run, tiles.tiles_total());
    progress.finish();

    const auto partials = record.time_phase(
        "gather", [&] { return mpi::gather_by_tile(world, run.partials, tiles.tiles_total()); });
    note_run(world, device->info(), run, tiles.tiles_total(), record);

    std::vector<docking::PoseList> lists;
    world.together([&] {
        if (!world.is_root()) return;
        lists = record.time_phase("rank", [&] {
            return docking::rank_poses(partials, input_.sets, input_.poses, prepared.rotations,
                                       prepared.frame, *search);
        });
    });
    auto consensus = record.time_phase("refine", [&] {
        return docking::second_stage(world, device->info().backend, input_, prepared, lists,
                                     {&stop.flag(), {}});
    });

    world.together([&] {
        if (!world.is_root()) return;
        DockResult result = record.time_phase("cluster and evaluate", [&] {
            return finish_result(input_, prepared, std::move(lists));
        });
        result.consensus = std::move(consensus);
        record.input = docking::to_json(input_);
        record.input_sha256 = prepared.input_sha256;
        record.build = build_record();
        io::ResultFile file(options_.output, "dock", program_version(), options_.force);
        docking::write_dock_result(file.root(), result);
        io::write_run_record(file.root(), record);
        file.commit();
        if (!options_.quiet) {
            std::fputs(
                docking::report_table(result, static_cast<std::size_t>(options_.report)).c_str(),
                stdout);
            std::printf("\nwritten: %s\n", options_.output.c_str());
        }
    });
    return 0;
}

}  // namespace tessera::cli
