#include "cli/orbital_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "cli/build_record.hpp"
#include "cli/guarded_workload.hpp"
#include "cli/run_common.hpp"
#include "core/stop_flag.hpp"
#include "io/progress.hpp"
#include "io/result_file.hpp"
#include "io/run_record.hpp"
#include "kokkos_kernels/device.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/node_tile_iterator.hpp"
#include "orbitals/orbital_result.hpp"
#include "plan/orbital_plan.hpp"
#include "run_tiles.hpp"

namespace tessera::cli {

namespace {

using orbitals::GridOutput;
using orbitals::OrbitalSum;
using orbitals::PreparedOrbitals;

/// The result file on rank 0 with room for all grids, and every rank's way into it.
struct Output {
    std::string path;  ///< of the file under its temporary name, on all ranks
    std::unique_ptr<io::ResultFile> file;
    std::unique_ptr<io::GridWriter> writer;
};

Output open_output(const mpi::Communicator& world, const OrbitalRunOptions& options,
                   const GridOutput& grids, std::size_t buffer_bytes, kernels::Backend backend) {
    Output output;
    std::vector<std::vector<std::uint64_t>> addresses(grids.specs.size());
    world.together([&] {
        if (!world.is_root()) return;
        output.file = std::make_unique<io::ResultFile>(options.output, "orbital", program_version(),
                                                       options.force);
        output.path = output.file->root().file();
        for (std::size_t i = 0; i < grids.specs.size(); ++i) {
            io::create_grid(output.file->root(), grids.specs[i]);
            addresses[i] = io::chunk_addresses(output.file->root(), grids.specs[i]);
        }
    });
    world.broadcast(output.path);
    if (grids.specs.empty()) return output;
    for (auto& list : addresses) world.broadcast(list);
    world.together([&] {
        output.writer = std::make_unique<io::GridWriter>(
            grids.specs, std::move(addresses), output.path,
            fmt::format("{}.part{}", output.path, world.rank()), buffer_bytes,
            [&](std::size_t bytes) { return kernels::host_buffer(backend, bytes); });
    });
    return output;
}

/// Where the time of the tiles went, on the rank where each took longest. Writing goes on beside the
/// kernels; waiting is what of it could not be hidden.
void note_parts(const mpi::Communicator& world, io::RunRecord& record,
                const std::vector<std::pair<const char*, double>>& parts) {
    for (const auto& [name, seconds] : parts) {
        const auto all = world.allgather(seconds);
        record.phases.push_back({name, *std::max_element(all.begin(), all.end())});
    }
}

std::string spool_path(const Output& output, int rank) {
    return fmt::format("{}.surfaces{}", output.path, rank);
}

/// Rank 0 writes its surfaces where they belong as they come, unless the writer's thread uses HDF5.
orbitals::SurfaceSink surface_sink(const Output& output, const orbitals::OrbitalInput& input,
                                   const PreparedOrbitals& prepared,
                                   orbitals::SurfaceSpool& spool) {
    if (output.file && !(output.writer && output.writer->has_part()))
        return [&](std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view) {
            orbitals::write_surface(output.file->root(), input, prepared, frame, item, view);
        };
    return [&](std::int32_t frame, std::int32_t item, const kernels::SurfaceView& view) {
        spool.append(frame, item, view);
    };
}

/// Spools of all ranks into the file, one surface after another.
void collect_surfaces(const mpi::Communicator& world, const Output& output,
                      const orbitals::OrbitalInput& input, const PreparedOrbitals& prepared,
                      orbitals::SurfaceSpool& spool) {
    world.together([&] { spool.finish(); });
    world.together([&] {
        for (int rank = 0; world.is_root() && rank < world.size(); ++rank)
            orbitals::read_spool(spool_path(output, rank), [&](std::int32_t frame,
                                                               std::int32_t item,
                                                               const kernels::SurfaceView& view) {
                orbitals::write_surface(output.file->root(), input, prepared, frame, item, view);
            });
    });
}

/// Compressed grids: the parts of all ranks become one file.
void merge_parts(const mpi::Communicator& world, io::ResultFile* file,
                 const std::vector<io::GridSpec>& specs, const io::GridWriter* writer) {
    if (!writer || !writer->has_part()) return;
    std::string first_part = writer->part();
    world.broadcast(first_part);
    const std::string stem = first_part.substr(0, first_part.rfind('.'));
    world.together([&] {
        for (int rank = 0; world.is_root() && rank < world.size(); ++rank)
            io::merge_part(file->root(), specs, fmt::format("{}.part{}", stem, rank));
    });
}

}  // namespace

int OrbitalCommand::run(const mpi::Communicator& world, const std::string& command_line) {
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    PreparedOrbitals prepared;
    GridOutput grids;
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
        std::vector<std::string> messages;
        auto frames =
            record.time_phase("reading", [&] { return orbitals::read_frames(input_, messages); });
        prepared = record.time_phase("planning",
                                     [&] { return orbitals::prepare(input_, std::move(frames)); });
        prepared.messages.insert(prepared.messages.begin(), messages.begin(), messages.end());
        grids = orbitals::grids_of(input_, prepared);
        if (world.is_root()) plan::require_disk(options_.output, grids);
    });
    mpi::NodeTileIterator tiles(world,
                                cut_into_tiles(static_cast<std::int64_t>(prepared.tiles.size()), 1),
                                options_.schedule);
    std::unique_ptr<kernels::DeviceRuntime> device;
    std::shared_ptr<kernels::OrbitalEvaluator> evaluator;
    world.together([&] {
        record.time_phase("start device", [&] {
            device = std::make_unique<kernels::DeviceRuntime>(kernels::DeviceRequest{
                options_.device, tiles.node().rank(), tiles.node().size(), 0});
            evaluator = kernels::make_orbital_evaluator(device->info().backend);
        });
    });
    for (const std::string& message : prepared.messages) say(speaks, message);
    say(speaks, fmt::format("device: {} ({}), {} rank{}", device->info().name,
                            kernels::name_of(device->info().backend), world.size(),
                            world.size() > 1 ? "s" : ""));
    Output output = record.time_phase("open output", [&] {
        return open_output(world, options_, grids, orbitals::largest_tile_bytes(input_, prepared),
                           device->info().backend);
    });

    orbitals::SurfaceSpool spool(spool_path(output, world.rank()));
    orbitals::OrbitalWorkload on_device(*evaluator, input_, prepared, output.writer.get(),
                                        grids.targets,
                                        surface_sink(output, input_, prepared, spool));
    GuardedWorkload workload(on_device, evaluator);
    NoJournal<OrbitalSum> journal;
    const StopFlag stop;
    io::Progress progress("orbitals", tiles.tiles_total(), progress_over(world, speaks));
    TileRun<OrbitalSum> run;
    world.together([&] {
        record.time_phase("tiles", [&] {
            run = run_tiles(workload, tiles, journal, watched(stop, tiles, progress));
            if (output.writer && !run.stopped) output.writer->finish();
        });
    });
    require_whole(world, run, tiles.tiles_total());
    progress.finish();
    const double kernel = run.device_lost ? 0 : evaluator->kernel_seconds();
    note_parts(
        world, record,
        {{"tiles: folding", on_device.folding_seconds()},
         {"tiles: kernel", kernel},
         {"tiles: transfer", std::max(0.0, on_device.evaluation_seconds() - kernel)},
         {"tiles: writing", output.writer ? output.writer->write_seconds() : 0.0},
         {"tiles: waiting for writing", output.writer ? output.writer->wait_seconds() : 0.0}});

    const auto partials = record.time_phase(
        "gather", [&] { return mpi::gather_by_tile(world, run.partials, tiles.tiles_total()); });
    note_run(world, device->info(), run, tiles.tiles_total(), record);
    say_balance(speaks, record);
    record.time_phase("write surfaces", [&] {
        if (input_.isosurface > 0) collect_surfaces(world, output, input_, prepared, spool);
    });
    record.time_phase("join parts", [&] {
        merge_parts(world, output.file.get(), grids.specs, output.writer.get());
    });

    world.together([&] {
        if (!world.is_root()) return;
        record.input = orbitals::to_json(input_);
        record.input_sha256 = record.time_phase("hash", [&] { return orbitals::hash_of(input_); });
        record.build = build_record();
        record.time_phase("write result", [&] {
            orbitals::write_orbital_result(output.file->root(), input_, prepared, partials);
        });
        io::write_run_record(output.file->root(), record);
        if (!options_.quiet)
            std::fputs(orbitals::report_table(orbitals::read_orbital_result(output.file->root()),
                                              static_cast<std::size_t>(options_.report))
                           .c_str(),
                       stdout);
        output.file->commit();
        if (!options_.quiet) std::printf("\nwritten: %s\n", options_.output.c_str());
    });
    return 0;
}

}  // namespace tessera::cli
