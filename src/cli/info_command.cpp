#include "cli/info_command.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/fit_command.hpp"
#include "cli/likelihood_command.hpp"
#include "cli/orbital_export.hpp"
#include "docking/dock_result.hpp"
#include "io/h5.hpp"
#include "io/run_record.hpp"

namespace tessera::cli {

namespace {

void print(const std::string& line) { std::printf("%s\n", line.c_str()); }

void print_run(const io::RunRecord& run) {
    print(fmt::format("command    {}", run.command_line));
    print(fmt::format("tiles      {} ({} resumed), {} retried", run.tiles_total, run.tiles_resumed,
                      run.retries.size()));
    for (const PhaseRecord& phase : run.phases)
        print(fmt::format("phase      {:<22} {:>9.3f} s", phase.name.str(), phase.seconds));
    for (std::size_t r = 0; r < run.ranks.size(); ++r)
        print(fmt::format("rank {:<5} {} on {} ({}): {} tiles, busy {:.2f} s", r,
                          run.ranks[r].backend.str(), run.ranks[r].host.str(),
                          run.ranks[r].device.str(), run.ranks[r].tiles_done,
                          run.ranks[r].busy_seconds));
}

void print_docking(const io::h5::Group& root) {
    const docking::DockResult result = docking::read_dock_result(root);
    print(fmt::format("docking    {} rotations, grid {}^3 of {} A", result.rotations.size(),
                      result.frame.n, result.frame.spacing));
    for (const docking::PoseList& list : result.lists)
        print(fmt::format("set        {}: {} poses, best score {:.2f}", list.set.name,
                          list.poses.size(), list.poses.empty() ? 0.0 : list.poses[0].score));
}

}  // namespace

void InfoCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand("info", "Say what an output file holds");
    command_->footer("Example:\n  tessera info run.h5");
    command_->add_option("file", path_, "output of a tessera run")->required();
}

int InfoCommand::run() const {
    const auto file = io::h5::File::open(path_);
    const auto root = file.root();
    const auto workload = root.read_attribute<std::string>("workload");
    print(fmt::format("{}: tessera {} {}, {}", path_, root.read_attribute<std::string>("version"),
                      workload, root.read_attribute<std::string>("created")));
    print_run(io::read_run_record(root));
    if (workload == "dock") print_docking(root);
    if (workload == "orbital") print(describe_orbitals(root));
    if (workload == "fit") print(describe_fit(root));
    if (workload == "likelihood" || workload == "fit") print(describe_likelihood(root));
    return 0;
}

}  // namespace tessera::cli
