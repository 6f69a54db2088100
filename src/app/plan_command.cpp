#include "app/plan_command.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include "choice/decision.hpp"
#include "core/error.hpp"
#include "core/terminal.hpp"
#include "engine/run_notes.hpp"
#include "engine/run_workload.hpp"
#include "engine/start_device.hpp"
#include "io/hdf5/output_path.hpp"
#include "mpi/launcher.hpp"
#include "plan/docking_plan.hpp"
#include "plan/likelihood_plan.hpp"
#include "plan/orbital_plan.hpp"

namespace tessera::app {

namespace {

/// Collective. Returns the plans of all ranks in order, on rank 0.
std::vector<plan::RankPlan> gather_plans(const mpi::Communicator& world,
                                         const plan::RankPlan& mine) {
    const std::string text = plan::to_json(mine);
    std::vector<plan::RankPlan> all;
    world.gather_bytes(std::as_bytes(std::span(text)), [&](int, std::span<const std::byte> bytes) {
        all.push_back(plan::rank_from_json(
            std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
    });
    return all;
}

}  // namespace

void PlanCommand::declare(CLI::App& app) {
    command_ = app.add_subcommand(
        "plan", "Predict where a run would compute and how long it would take, without running it");
    command_->footer(
        "Examples:\n"
        "  mpirun -n 4 tessera plan dock receptor.pdb ligand.pdb\n"
        "  tessera plan dock --pairs pairs.csv --for-device H200\n"
        "  tessera plan screen receptors.csv ligands.csv --for-device H200\n"
        "  tessera plan orbital c60.molden --orbitals all --for-device A100 --json\n"
        "Give the options of the run that you plan. An output (-o) is not written; it tells which "
        "disk the run would use.");
    command_->require_subcommand(1);
    dock_.declare(*command_);
    screen_.declare(*command_);
    orbital_.declare(*command_);
    likelihood_.declare(*command_);
    fit_.declare(*command_);
    sample_.declare(*command_);
    for (CLI::App* workload : command_->get_subcommands({})) {
        workload->get_option("--output")->required(false);
        for (const char* own : {"--list", "--json", "--redock", "--redock-config"})  // not planned
            if (CLI::Option* option = workload->get_option_no_throw(own))
                workload->remove_option(option);
        workload->footer("Takes the options of tessera " + workload->get_name() +
                         ", but plans the run only.");
        workload->add_option("--for-device", for_device_,
                             "plan for a GPU that this machine does not have, by its name: " +
                                 plan::known_gpu_names());
        workload->add_flag("--json", json_, "print JSON (docs/reference/formats.md)");
        workload->add_flag("--this-build", this_build_,
                           "plan for this program only, even if others are installed beside it");
        workload->add_flag("--mixed", mixed_,
                           "among several builds, also plan GPUs and processors that share the "
                           "work");
    }
}

/// Where the run would write its file; empty for a run that makes a folder, or if nothing is said.
std::string PlanCommand::output_file() const {
    return dock_.chosen() && dock_.options().pairs.empty() ? dock_.options().output
           : orbital_.chosen()                             ? orbital_.options().output
           : likelihood_.chosen()                          ? likelihood_.options().output
           : fit_.chosen()                                 ? fit_.options().output
           : sample_.chosen()                              ? sample_.options().output
                                                           : "";
}

plan::LocalPlan PlanCommand::plan_here(plan::PlanRequest request) {
    const auto take = [&](const auto& options) { request.output = options.output; };
    if (dock_.chosen()) {
        const docking::DockInput& input = dock_.finished_input();
        take(dock_.options());
        request.memory_gib = dock_.options().memory_gib;
        const std::string& pairs = dock_.options().pairs;
        return pairs.empty() ? plan::plan_docking(input, request)
                             : plan::plan_docking_pairs(input, pairs, request);
    }
    if (screen_.chosen()) {
        const docking::DockInput& input = screen_.finished_input();
        take(screen_.options());
        request.memory_gib = screen_.options().memory_gib;
        return plan::plan_screening(input, screen_.request(), request);
    }
    if (orbital_.chosen()) {
        const orbitals::OrbitalInput& input = orbital_.finished_input();
        take(orbital_.options());
        return plan::plan_orbitals(input, request);
    }
    if (likelihood_.chosen()) {
        const likelihood::LikelihoodInput& input = likelihood_.finished_input();
        take(likelihood_.options());
        return plan::plan_likelihood(input, request);
    }
    if (sample_.chosen()) {
        const likelihood::LikelihoodInput& input = sample_.finished_input();
        take(sample_.options());
        return plan::plan_sample(input, sample_.choices(), request);
    }
    const likelihood::LikelihoodInput& input = fit_.finished_input();
    take(fit_.options());
    return plan::plan_fit(
        input, [&](const io::TextSource& parameters) { return fit_.settings(parameters); },
        request);
}

bool PlanCommand::compares() const {
    return chosen() && !this_build_ && for_device_.empty() && !mpi::has_launcher() &&
           choice::installed_builds().size() > 1;
}

int PlanCommand::compare(const std::vector<std::string>& words) const {
    std::vector<std::string> command(std::ranges::find(words, "plan") + 1, words.end());
    std::erase_if(command, [](const auto& word) { return word == "--json" || word == "--mixed"; });
    const auto candidates = choice::compare_builds(command, mixed_);
    const auto chosen = choice::choose(candidates);
    print_text(stdout, json_ ? choice::to_json(candidates) + "\n" : choice::table_text(candidates));
    if (!chosen) return static_cast<int>(ExitCode::resources);
    if (!json_) print_text(stdout, "\n" + plan::report_text(*candidates[*chosen].plan));
    return 0;
}

const kernels::DeviceChoice& PlanCommand::device_choice() const {
    return dock_.chosen()         ? dock_.options().device
           : screen_.chosen()     ? screen_.options().device
           : orbital_.chosen()    ? orbital_.options().device
           : likelihood_.chosen() ? likelihood_.options().device
           : sample_.chosen()     ? sample_.options().device
                                  : fit_.options().device;
}

int PlanCommand::run(const mpi::Communicator& world) {
    plan::PlanRequest request;
    request.program_start_seconds = plan::seconds_since_process_began();
    request.for_device = for_device_;
    const mpi::Communicator node = world.split_shared();
    const kernels::DeviceChoice& device = device_choice();
    request.device = engine::device_share(node, device);
    request.gpu_fraction = device.gpu_fraction;
    plan::LocalPlan mine;
    world.together([&] {
        if (const std::string output = output_file(); world.is_root() && !output.empty())
            io::check_output_folder(output);
        mine = plan_here(request);
    });
    std::vector<plan::RankPlan> ranks = gather_plans(world, mine.rank);
    int code = 0;
    world.together([&] {
        if (!world.is_root()) return;
        const plan::JobPlan whole = plan::combine(mine, std::move(ranks));
        const std::string text = json_ ? plan::to_json(whole) + "\n" : plan::report_text(whole);
        print_text(stdout, text);
        if (!whole.can_run()) code = static_cast<int>(ExitCode::resources);
    });
    world.broadcast(code);
    return code;
}

}  // namespace tessera::app
