#include "app/screen_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/config_file.hpp"
#include "app/docking_options.hpp"
#include "app/option_checks.hpp"
#include "app/pairs_run.hpp"
#include "app/schedule_options.hpp"
#include "core/error.hpp"
#include "docking/result/judged_consensus.hpp"
#include "docking/screen/pose_shard.hpp"
#include "docking/screen/redock_table.hpp"
#include "docking/screen/screen_table.hpp"
#include "engine/build_record.hpp"
#include "engine/run_notes.hpp"
#include "engine/start_device.hpp"
#include "engine/tile_watch.hpp"
#include "io/files/input_file.hpp"
#include "io/files/whole_file.hpp"
#include "io/hdf5/output_path.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/text/one_line.hpp"

namespace tessera::app {

namespace {

namespace fs = std::filesystem;

/// The statistics need every pose that is found, up to what a list may hold.
std::int64_t all_poses(const docking::DockInput& input) {
    constexpr std::int64_t most = 1'000'000;
    if (!input.rotation_file.empty()) return most;
    return std::min(most, (input.rotations + 24) * input.poses_per_rotation);
}

/// Throws Error if the file would replace one that does not begin as those of earlier runs do.
void check_own(const std::string& path, const char* beginning) {
    io::check_output_path(path, true, [&](const std::string& there) {
        return io::beginning_of(there).starts_with(beginning);
    });
}

/// Writes a file of the folder in one piece, over one of an earlier run.
void write_whole(const std::string& path, const std::string& text) {
    io::WholeFile file(path);
    file.write(text);
    file.commit();
}

/// On rank 0: throws Error if a protein of the screening that the run makes again has changed.
void require_same_proteins(const std::string& folder) {
    const fs::path shards = fs::path(folder) / "poses";
    std::set<std::string> seen;
    const auto check = [&](const std::vector<docking::PoseShard::Partner>& partners) {
        for (const auto& partner : partners)
            if (seen.insert(partner.path).second &&
                io::sha256_of_file(partner.path) != partner.sha256)
                throw Error("cannot run '" + io::one_line(folder) + "' again",
                            "'" + io::one_line(partner.path) + "' has changed since",
                            "restore the file, or screen anew: tessera screen --config " +
                                io::one_line((fs::path(folder) / "screen.toml").string()) +
                                " -o FOLDER");
    };
    if (!fs::is_directory(shards)) return;
    for (const auto& entry : fs::directory_iterator(shards)) {
        if (entry.path().extension() != ".h5") continue;
        const auto file = io::open_result(entry.path().string());
        const docking::PoseShard shard = docking::read_shard(file.root());
        check(shard.receptors);
        check(shard.ligands);
    }
}

}  // namespace

ScreenCommand::ScreenCommand() {
    input_.rotations = 1800;
    input_.spacing = 2.0;
    input_.poses_per_rotation = 1;
    input_.clustering.poses = 200;
    choices_.coefficients = "balanced";
    choices_.refine = 0;
}

void ScreenCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand(
        "screen", "Dock all proteins of a list with all of another and rank likely partners");
    command_->footer("Examples:\n"
                     "  mpirun -n 4 tessera screen receptors.csv ligands.csv -o screening/\n"
                     "  mpirun -n 4 tessera screen proteins.csv -o screening/ --redock 3\n"
                     "  mpirun -n 4 tessera screen proteins.csv --part 3/8 -o parts/3\n"
                     "A list is a CSV table with a column file and, optionally, name and chains "
                     "(docs/guide/screening.md).");
    auto& o = *command_;
    o.add_option("receptors", receptors_, "list of the proteins that stay in place")->required();
    o.add_option("ligands", ligands_,
                 "list of the proteins that are moved; default: the list of receptors");
    o.add_option("-o,--output", options_.output, "folder for the results")->required();
    o.add_option("--redock", redock_,
                 "dock so many best ligands of each receptor again, with the defaults of tessera "
                 "dock, into FOLDER/redocked/")
        ->check(whole_number<std::int64_t>());
    o.add_option("--redock-config", redock_config_,
                 "TOML file of options of tessera dock for --redock");
    o.add_option("--part", part_text_,
                 "screen part K of N equal parts, written as K/N; tessera merge joins the parts")
        ->check(not_empty("a part, such as 3/8"));
    o.add_option("--pairs-per-shard", pairs_per_shard_,
                 "pairs whose poses and lines share a file, of 1 to 1000000")
        ->check(whole_number<std::size_t>(1, 1000000));
    declare_search_options(o, input_, choices_);
    o.get_option("--coefficients")
        ->description("set of energy weights: a built-in name (balanced, electrostatic, "
                      "hydrophobic, vdw), or a file of one line 'name w_rep w_att w_elec w_pair'");
    declare_peak_options(o, input_);
    o.add_option("--cluster-radius", input_.clustering.radius, "cluster radius in Angstrom");
    o.add_option("--clustered-poses", input_.clustering.poses,
                 "number of best poses that are clustered")
        ->check(whole_number<std::size_t>());
    declare_membrane_options(o, input_.membrane);
    declare_molecule_options(o, input_);
    declare_device_options(o, options_.device);
    o.add_option("--memory", options_.memory_gib,
                 "upper limit of the device memory in GiB; 0: most of the free memory")
        ->check(number_from_0(1e6));
    declare_config_option(o);
    o.add_flag("--force", options_.force, "start over, and replace the results of earlier runs");
    o.add_flag("--quiet", options_.quiet, "print errors only");
    declare_energy_options(o, input_, choices_);
    declare_schedule_options(o, options_.schedule);
}

void ScreenCommand::finish_input() {
    if (ligands_.empty()) ligands_ = receptors_;
    choices_.complete(input_);
    docking::require_membrane(input_.membrane);
    if (input_.sets.size() != 1)
        throw Error(fmt::format("--coefficients names {} sets", input_.sets.size()),
                    "a screening compares the poses of one set", "name one set, such as balanced");
    input_.poses = all_poses(input_);
    if (!part_text_.empty()) part_ = docking::parse_part(part_text_);
    if (redock_ > 0 && !part_.is_whole())
        throw Error("--redock and --part are given",
                    "the best pairs are known when all parts are merged",
                    "merge the parts, then repeat the command with --redock, without --part and "
                    "with the merged folder as -o");
    if (redock_ == 0 && !redock_config_.empty())
        throw Error("--redock-config is given without --redock", "no pair is docked again",
                    "add --redock N");
    if (redock_ > 0)
        redocking_ = std::make_unique<Redocking>(
            RedockRequest{(fs::path(options_.output) / "redock.csv").string(),
                          (fs::path(options_.output) / "redocked").string(), redock_config_,
                          input_.membrane, options_});
}

std::string ScreenCommand::config_path() const {
    return (fs::path(options_.output) / "screen.toml").string();
}

docking::ScreenFilesContext ScreenCommand::files_context(const docking::ScreenJob& job,
                                                         io::RunRecord record) const {
    record.input = docking::to_json(input_);
    return {options_.output,
            job.lock->file("summary.parquet"),
            job.outputs.version,
            job.screen_pairs(),
            job.rows,
            job.description.layout(),
            input_.sets.front(),
            docking::positive_rotations(job.rotations),
            std::move(record),
            job.lines};
}

/// Collective. Docks the pairs that are left and writes the table.
void ScreenCommand::screen(const mpi::Communicator& world, docking::ScreenJob& job,
                           const std::string& command_line, const StopFlag& stop,
                           const kernels::DeviceRuntime& device) {
    io::RunRecord record;
    record.command_line = command_line;
    record.config = config_text(*command_);
    record.build = engine::build_record();
    engine::announce_devices(world, device.info(), world.is_root() && !options_.quiet, record);
    std::unique_ptr<docking::ScreenFiles> files;
    docking::PairLedger ledger(
        {job.summary_path, job.lines, job.manifest.get(),
         [&](std::size_t row, const docking::PairOutcome& outcome) { files->enter(row, outcome); }},
        *job.pairs, job.rows);
    world.together([&] {
        if (!world.is_root()) return;
        files = std::make_unique<docking::ScreenFiles>(files_context(job, record),
                                                       std::move(job.shards));
        files->begin();
        write_whole(docking::description_path(options_.output), docking::to_json(job.description));
        if (job.to_do.empty()) return;
        write_whole(config_path(), record.config);
        ledger.begin();
    });
    dock_all(world, job, ledger, options_, record, device.info(), stop);
    world.together([&] {
        if (!world.is_root()) return;
        const auto lines = part_.is_whole() ? docking::whole_lines(job.screen_pairs(), job.rows)
                                            : job.lines;  // a part cannot be compared
        files->finish(lines);
        close_job(job, ledger, lines, options_.quiet);
        if (docking::count(job.rows).unfinished > 0) require_all_done(job);
    });
}

int ScreenCommand::run(const mpi::Communicator& world, const std::string& command_line,
                       const StopFlag& stop) {
    world.together([&] {
        finish_input();
        if (world.is_root() && !expected_.file.empty()) require_same_proteins(expected_.file);
    });
    docking::ScreenJob job = docking::read_screen_job(world, input_, request(), stop);
    world.together([&] {
        if (!world.is_root()) return;
        check_own(config_path(), "# tessera screen,");
        if (redocking_) check_own(redocking_->table(), "name,receptor,ligand,receptor_chains,");
    });
    announce_pairs(world.is_root() && !options_.quiet, job,
                   receptors_ == ligands_ ? receptors_ : receptors_ + "' and '" + ligands_);
    const auto device = engine::start_device(world, options_.device);
    {
        const TileWatch watch(options_.schedule.deadline, engine::place_of(world));
        screen(world, job, command_line, stop, *device);
    }
    std::int64_t any_done = 0;
    world.together([&] {
        if (!world.is_root()) return;
        any_done = docking::count(job.rows).done;
        if (redocking_ && any_done > 0)
            write_whole(redocking_->table(), docking::redock_table(job.screen_pairs(), job.rows,
                                                                   redock_, options_.output));
    });
    world.broadcast(any_done);
    if (redocking_ && any_done > 0) redocking_->run(world, command_line, stop, *device);
    world.together([&] {
        if (world.is_root()) require_all_done(job);
    });
    return 0;
}

}  // namespace tessera::app
