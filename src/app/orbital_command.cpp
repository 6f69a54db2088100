#include "app/orbital_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "app/config_file.hpp"
#include "app/orbital_export.hpp"
#include "app/picture_export.hpp"
#include "core/terminal.hpp"
#include "engine/agreement.hpp"
#include "engine/finish_run.hpp"
#include "engine/guarded_workload.hpp"
#include "engine/resume.hpp"
#include "engine/run_notes.hpp"
#include "engine/run_tiles.hpp"
#include "engine/run_workload.hpp"
#include "engine/start_device.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/pictures/png_writer.hpp"
#include "io/text/progress.hpp"
#include "io/text/shell_word.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/device/device_guard.hpp"
#include "kokkos_kernels/device/device_operations.hpp"
#include "mpi/gather_by_tile.hpp"
#include "mpi/scheduling/node_tile_iterator.hpp"
#include "orbitals/result/listing.hpp"
#include "orbitals/result/output.hpp"
#include "orbitals/result/report.hpp"
#include "orbitals/result/result.hpp"
#include "orbitals/result/surface_file.hpp"
#include "orbitals/run/mean_density.hpp"
#include "plan/orbital_plan.hpp"

namespace tessera::app {

namespace {

using orbitals::GridOutput;
using orbitals::OrbitalSum;
using orbitals::PreparedOrbitals;

using Parts = std::vector<std::pair<const char*, double>>;  ///< seconds by phase

/// Records the parts of the time of the tiles, each on the rank where it took longest. Writing runs
/// at the same time as the kernels. Waiting is the time for which the kernels waited for it.
void note_parts(const mpi::Communicator& world, io::RunRecord& record, const Parts& parts) {
    for (const auto& [name, seconds] : parts) {
        const auto all = world.allgather(seconds);
        record.phases.push_back({name, *std::max_element(all.begin(), all.end())});
    }
}

std::vector<std::string> warnings_among(const std::vector<std::string>& messages) {
    constexpr std::string_view mark = "warning: ";
    std::vector<std::string> warnings;
    for (const std::string& message : messages)
        if (message.starts_with(mark)) warnings.push_back(message.substr(mark.size()));
    return warnings;
}

/// What every rank knows before its first tile.
struct OrbitalJob {
    PreparedOrbitals prepared;
    GridOutput grids;
};

/// Collective. Reads the input files and cuts the run. Throws SharedError if the disk of `output`
/// is too small for the grids.
OrbitalJob prepare_on_all(const mpi::Communicator& world, const orbitals::OrbitalInput& input,
                          const std::string& output, io::RunRecord& record) {
    OrbitalJob job;
    world.together([&] {
        std::vector<std::string> messages;
        auto frames =
            record.time_phase("reading", [&] { return orbitals::read_frames(input, messages); });
        job.prepared = record.time_phase(
            "planning", [&] { return orbitals::prepare(input, std::move(frames)); });
        job.prepared.messages.insert(job.prepared.messages.begin(), messages.begin(),
                                     messages.end());
        job.grids = orbitals::grids_of(input, job.prepared);
        if (world.is_root()) plan::require_disk(output, job.grids);
    });
    return job;
}

/// Where this rank's time for the tiles went. `kernel`: seconds in kernels.
Parts parts_of(const orbitals::OrbitalWorkload& workload, const io::GridWriter& writer,
               double kernel) {
    return {{"tiles: folding", workload.folding_seconds()},
            {"tiles: kernel", kernel},
            {"tiles: transfer", std::max(0.0, workload.evaluation_seconds() - kernel)},
            {"tiles: writing", writer.write_seconds()},
            {"tiles: waiting for writing", writer.wait_seconds()}};
}

/// What the tiles gave.
struct TileResults {
    const std::vector<TilePartial<OrbitalSum>>& partials;
    const std::vector<double>& mean_density;
};

/// On rank 0: the result file, and the report.
void write_result(const orbitals::OrbitalInput& input, const PreparedOrbitals& prepared,
                  const TileResults& results, const OrbitalRunOptions& options,
                  orbitals::OrbitalOutput& output, io::RunRecord& record) {
    const auto file = record.time_phase(
        "collect from journal", [&] { return output.make_file(options.output, options.force); });
    record.input = orbitals::to_json(input);
    record.warnings = warnings_among(prepared.messages);
    engine::finish_run(
        *file, record, options.quiet,
        [&] {
            orbitals::write_orbital_result(file->root(), input, prepared, results.partials,
                                           results.mean_density);
        },
        [&] { output.disk().remove(); },
        [&] {
            return orbitals::report_table(orbitals::read_without_nuclei(file->root()),
                                          static_cast<std::size_t>(options.report));
        });
}

std::vector<std::int64_t> frame_numbers(const orbitals::PreparedOrbitals& prepared) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(prepared.frames.size());
    for (const auto& frame : prepared.frames) numbers.push_back(frame.number);
    return numbers;
}

}  // namespace

int OrbitalCommand::print_list() const {
    std::vector<std::string> messages;
    const auto frames = orbitals::read_frames(input_, messages).frames;
    if (json_)
        io::write_json(orbitals::listing_table(frames),
                       [](std::string_view text) { print_text(stdout, text); });
    else
        print_text(stdout, orbitals::listing_text(frames));
    for (const std::string& warning : warnings_among(messages))
        if (!options_.quiet) print_line(stderr, "warning: " + warning);
    return 0;
}

void OrbitalCommand::check_cubes(const orbitals::PreparedOrbitals& prepared) const {
    if (cube_.empty()) return;
    const auto frames = frame_numbers(prepared);
    std::vector<std::string> names;
    if (input_.grids) {
        for (const auto& item : prepared.selection) names.push_back(item.label);
        if (input_.density) names.emplace_back("density");
        if (input_.spin_density) names.emplace_back("spin_density");
        for (const auto& field : prepared.density_fields) names.push_back(field.name);
        if (prepared.potential) names.emplace_back(orbitals::potential_name);
        for (const auto& combination : prepared.combinations) names.push_back(combination.name);
    }
    auto files = cube_files(cube_, frames, names);
    if (input_.mean_density) files.push_back(cube_ + "/mean_density.cube");
    const ExportRules rules{options_.force, files_of(input_)};
    io::make_folder(cube_);
    for (const std::string& file : files) rules.check(file);
}

void OrbitalCommand::check_pictures(const orbitals::PreparedOrbitals& prepared) const {
    if (render_.empty()) return;
    const auto frames = frame_numbers(prepared);
    std::set<std::string> names;  // a repeated orbital has one surface
    for (const auto& tile : prepared.tiles)
        if (orbitals::is_surface(tile.kind)) {
            const auto [frame, item] = orbitals::place_of_surface(tile);
            names.insert(file_name(frames, static_cast<std::size_t>(frame),
                                   orbitals::label_of_surface(prepared, item)));
        }
    const ExportRules rules{options_.force, files_of(input_)};
    for (const std::string& file : picture_files(render_, {names.begin(), names.end()}))
        rules.check(file, io::is_png_export);
}

void OrbitalCommand::write_exports() const {
    if (cube_.empty() && render_.empty()) return;
    try {
        export_result();
    } catch (const Error& error) {
        std::string later = "tessera export " + io::shell_word(options_.output);
        if (!cube_.empty()) later += " --cube " + io::shell_word(cube_);
        if (!render_.empty()) later += " --render " + io::shell_word(render_);
        throw Error(
            FinishedLine{fmt::format("{}; the result is complete, so go on with: {} --force",
                                     error.what(), later)},
            error.code());
    }
}

void OrbitalCommand::export_result() const {
    const auto file = io::open_result(options_.output);
    const ExportRules rules{options_.force, files_of(input_)};
    if (!cube_.empty()) {
        OrbitalExport::to_cubes(cube_).run(file.root(), rules);
        if (!options_.quiet) print_line(stdout, "cube files in: " + cube_);
    }
    if (!render_.empty())
        OrbitalExport::to_pictures(render_, options_.quiet).run(file.root(), rules);
}

int OrbitalCommand::run(const mpi::Communicator& world, const std::string& command_line,
                        const StopFlag& stop) {
    const bool speaks = world.is_root() && !options_.quiet;
    io::RunRecord record;
    record.command_line = command_line;
    record.config = config_text(*command_);
    world.together([&] {
        finish_input();
        if (world.is_root()) io::check_output_path(options_.output, options_.force);
    });
    const auto [prepared, grids] = prepare_on_all(world, input_, options_.output, record);
    record.input_sha256 = prepared.input_sha256;
    world.together([&] {
        expected_.check(record.input_sha256);
        if (!world.is_root()) return;
        check_cubes(prepared);
        check_pictures(prepared);
    });
    const io::RunIdentity identity = engine::agreed_identity(
        world, "orbital", record.input_sha256, static_cast<std::int64_t>(prepared.tiles.size()));
    mpi::NodeTileIterator tiles(world,
                                cut_into_tiles(static_cast<std::int64_t>(prepared.tiles.size()), 1),
                                options_.schedule);
    const auto device = record.time_phase(
        "start device", [&] { return engine::start_device(world, options_.device); });
    std::shared_ptr<kernels::OrbitalEvaluator> evaluator;
    world.together([&] {
        record.time_phase("start device", [&] {
            evaluator = kernels::make_orbital_evaluator(device->info().backend);
        });
    });
    for (const std::string& message : prepared.messages) engine::say(speaks, message);
    engine::announce_devices(world, device->info(), speaks, record);
    auto output = record.time_phase("open output", [&] {
        return std::make_unique<orbitals::OrbitalOutput>(
            world,
            engine::journal_request(options_.output, identity, device->info(), options_.force,
                                    &stop),
            input_, prepared, grids, device->info().backend);
    });
    for (const std::string& message : output->disk().messages()) engine::say(speaks, message);

    io::GridWriter& writer = output->writer();
    const auto mean = kernels::kept_if_lost(std::make_unique<orbitals::DensitySums>(
        kernels::make_device_operations(device->info().backend)));
    const auto points =
        kernels::kept_if_lost(kernels::make_point_evaluator(device->info().backend));
    const auto fields =
        kernels::kept_if_lost(kernels::make_field_evaluator(device->info().backend));
    const auto potential = kernels::kept_if_lost(std::make_unique<orbitals::FramePotential>(
        kernels::make_potential_evaluator(device->info().backend), prepared,
        input_.potential_tolerance));
    orbitals::OrbitalWorkload on_device(*evaluator, input_, prepared,
                                        {&writer, grids.targets, output->recorder().surface_sink(),
                                         mean.get(), output->recorder().density_sink(),
                                         points.get(), fields.get(), potential.get(),
                                         output->recorder().point_sink()});
    GuardedWorkload workload(on_device, evaluator, mean, points, fields, potential);
    const auto run =
        engine::run_workload(world, workload, tiles, output->recorder(),
                             {"orbitals", "tiles", device->info(), stop, options_.quiet}, record);
    const double kernels =
        run.device_lost  // which no longer knows its kernels' time
            ? 0
            : evaluator->kernel_seconds() + fields->kernel_seconds() + potential->kernel_seconds();
    note_parts(world, record, parts_of(on_device, writer, kernels));
    std::vector<double> mean_density;
    if (input_.mean_density)
        mean_density = record.time_phase("add up densities", [&] {
            return orbitals::mean_density(world, device->info().backend, prepared, *output, run);
        });
    const auto partials = engine::gather_partials(world, run, record);
    record.resumed_devices = output->disk().resumed_devices();

    world.together([&] {
        if (!world.is_root()) return;
        write_result(input_, prepared, {partials, mean_density}, options_, *output, record);
        write_exports();
    });
    return 0;
}

}  // namespace tessera::app
