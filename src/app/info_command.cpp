#include "app/info_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/fit_command.hpp"
#include "app/info_json.hpp"
#include "app/likelihood_command.hpp"
#include "app/orbital_export.hpp"
#include "app/sample_command.hpp"
#include "app/single_result.hpp"
#include "core/terminal.hpp"
#include "docking/pairs/pairs_progress.hpp"
#include "docking/result/dock_summary.hpp"
#include "docking/screen/screen_progress.hpp"
#include "docking/screen/shard_view.hpp"
#include "engine/tile_journal.hpp"
#include "io/hdf5/result_file.hpp"
#include "io/hdf5/run_record.hpp"
#include "io/journal/partial_folder.hpp"
#include "io/text/counted.hpp"
#include "io/text/one_line.hpp"
#include "io/text/progress.hpp"

namespace tessera::app {

namespace {

void print(const std::string& line) { print_line(stdout, line); }
void print_table(const std::string& text) { print_text(stdout, text + "\n"); }

void print_run(const io::RunRecord& run) {
    print(fmt::format("command    {}", run.command_line));
    print(fmt::format("tiles      {} ({} resumed), {} retried", run.tiles_total, run.tiles_resumed,
                      run.retries.size()));
    if (run.tiles_resumed > 0 && !run.resumed_devices.empty())
        print("resumed    " + run.resumed_devices);
    for (const PhaseRecord& phase : run.phases)
        print(fmt::format("phase      {:<22} {:>9.3f} s", phase.name.str(), phase.seconds));
    for (std::size_t r = 0; r < run.ranks.size(); ++r)
        print(fmt::format("rank {:<5} {} on {} ({}): {}, busy {:.2f} s", r,
                          run.ranks[r].backend.str(), run.ranks[r].host.str(),
                          run.ranks[r].device.str(), io::counted(run.ranks[r].tiles_done, "tile"),
                          run.ranks[r].busy_seconds));
    for (const std::string& warning : run.warnings)
        print("warning    " + io::one_line(warning, 1000));
}

void print_docking(const io::h5::Group& root) {
    const docking::DockSummary result = docking::read_dock_summary(root);
    print(fmt::format("docking    {}, grid {}^3 of {} A", io::counted(result.rotations, "rotation"),
                      result.frame.n, result.frame.spacing));
    const auto print_left_out = [](const char* partner, const docking::LowConfidence& low) {
        if (low.is_used())
            print(fmt::format("plddt      {}: {}; pLDDT from {}", partner,
                              io::one_line(docking::describe(low), 300),
                              io::one_line(low.source, 200)));
    };
    print_left_out("receptor", result.left_out.receptor);
    print_left_out("ligand", result.left_out.ligand);
    const auto print_chemistry = [](const char* partner, const docking::Chemistry& chemistry) {
        if (!chemistry.empty())
            print(fmt::format("chemistry  {}: {}", partner,
                              io::one_line(docking::describe(chemistry), 500)));
    };
    print_chemistry("receptor", result.chemistry.receptor);
    print_chemistry("ligand", result.chemistry.ligand);
    if (result.receptor_conformers * result.ligand_conformers > 1)
        print(fmt::format("conformers {} of the receptor, {} of the ligand",
                          result.receptor_conformers, result.ligand_conformers));
    if (result.membrane) print("membrane   " + result.membrane->describe());
    for (const docking::SetSummary& one : result.sets)
        print(fmt::format("set        {}: {}, best score {:.2f}", one.set.name,
                          io::counted(one.poses, "pose"), one.best_score.value_or(0.0)));
    for (const docking::RestraintGroup& group : result.restraints)
        print(fmt::format("restraints {}: {}, of which a pose satisfies at least {}",
                          io::one_line(group.name), group.size, group.required));
    const auto& consensus = result.consensus;
    if (!consensus) return;
    print(fmt::format("consensus  {}, best score {:.2f}",
                      io::counted(consensus->poses, "refined pose"),
                      consensus->best_score.value_or(0.0)));
    if (const auto& [name, sha256] = consensus->table; !sha256.empty())
        print(fmt::format("weights    {}, SHA-256 {}", io::one_line(name), io::one_line(sha256)));
}

void print_state(const std::string& holder) {
    print(holder.empty()
              ? std::string("state      not running; the command that began it will continue it")
              : "state      running, " + holder);
}

/// `folder` locks the table. The journals of its pairs are in other folders.
void print_unfinished_pairs(const std::string& folder, const RunProgress& run) {
    print(folder + ": unfinished tessera dock --pairs run");
    const auto progress = docking::read_pairs_progress(folder);
    if (progress)
        print(fmt::format("pairs      {} of {} done", progress->done, progress->pairs));
    else
        print(
            "pairs      this folder has no counts: see the folders NAME.h5.partial beside it, and "
            "pairs.csv at the end");
    print(fmt::format("begun      {} ago", io::Progress::duration(run.age_seconds)) +
          (progress && progress->quiet_seconds
               ? fmt::format(", last pair written {} ago",
                             io::Progress::duration(std::max(0.0, *progress->quiet_seconds)))
               : ""));
    print_state(run.holder);
}

/// `folder` locks the table of a screening.
void print_unfinished_screen(const std::string& folder, const RunProgress& run) {
    print(folder + ": unfinished tessera screen run");
    if (const auto progress = docking::read_screen_progress(folder))
        print(fmt::format("pairs      {} of {} done, {} failed", progress->done, progress->pairs,
                          progress->failed));
    print(fmt::format("begun      {} ago", io::Progress::duration(run.age_seconds)));
    print_state(run.holder);
}

void print_unfinished(const std::string& folder) {
    const RunProgress run = read_run_progress(folder);
    if (run.identity.workload == docking::screen_workload)
        return print_unfinished_screen(folder, run);
    if (run.identity.workload == docking::pairs_workload)
        return print_unfinished_pairs(folder, run);
    const std::int64_t total = run.identity.tiles_total;
    print(fmt::format("{}: unfinished tessera {} run, build {}", folder, run.identity.workload,
                      io::one_line(run.identity.build)));
    if (counts_batches(run.identity.workload))
        print(fmt::format("batches    {} done", run.tiles_done));
    else
        print(fmt::format("tiles      {} of {} done", run.tiles_done, total));
    if (run.tiles_refined > 0)
        print(fmt::format("refinement {} of poses done", io::counted(run.tiles_refined, "tile")));
    for (const auto& [kind, count] : run.devices)
        print(fmt::format("device     {}: {}", kind, io::counted(count, "tile")));
    if (run.attempts > 0)
        print(fmt::format("attempt    {}, of {}", run.attempts, io::counted(run.ranks, "rank")));
    print(fmt::format("begun      {} ago, last written to {} ago",
                      io::Progress::duration(run.age_seconds),
                      io::Progress::duration(run.quiet_seconds)));
    const std::string output =
        std::filesystem::path(folder + "/").parent_path().replace_extension().string();
    if (run.holder.empty() && io::is_outlived(output))
        print("state      killed after it had written '" + output +
              "': this folder can be removed");
    else
        print_state(run.holder);
}

}  // namespace

void InfoCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand(
        "info", "Print what a result holds, or the progress of an unfinished run");
    command_->footer("Examples:\n  tessera info run.h5\n  tessera info run.h5.partial\n"
                     "  tessera info run.h5 --json");
    command_
        ->add_option("file", path_,
                     "result file, or the folder OUT.h5.partial of an unfinished run (for dock "
                     "--pairs: FOLDER/pairs.csv.partial)")
        ->required();
    command_->add_flag("--json", json_, "print JSON (docs/reference/formats.md)");
}

int InfoCommand::run() const {
    if (std::filesystem::is_directory(path_)) {
        if (!std::filesystem::exists(std::filesystem::path(path_) / "run")) {
            refuse_table_folder(path_, "this description");
            throw Error("'" + path_ + "' holds no unfinished run", "the folder has no file 'run'",
                        "give a result file, or the folder OUT.h5.partial beside it");
        }
        if (json_)
            print_text(stdout, progress_json(path_));
        else
            print_unfinished(path_);
        return 0;
    }
    refuse_pairs_summary(path_, "this description");
    const auto file = io::open_result(path_);
    const auto root = file.root();
    if (json_) {
        print_text(stdout, result_json(root));
        return 0;
    }
    const auto workload = root.read_attribute<std::string>("workload");
    print(fmt::format("{}: tessera {} {}, {}", path_, root.read_attribute<std::string>("version"),
                      workload, root.read_attribute<std::string>("created")));
    print_run(io::read_run_record(root));
    if (workload == "dock") print_docking(root);
    if (workload == docking::screen_workload)
        print_table(docking::describe_shard(docking::read_shard(root)));
    if (workload == "orbital") print_table(describe_orbitals(root));
    if (workload == "fit") print_table(describe_fit(root));
    if (workload == "sample") print_table(describe_sample(root));
    if (workload == "likelihood" || workload == "fit") print_table(describe_likelihood(root));
    return 0;
}

}  // namespace tessera::app
