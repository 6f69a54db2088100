#include "plan/docking_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "docking/pairs/host_threads.hpp"
#include "docking/search/dock_workload.hpp"
#include "docking/setup/choose_rotations.hpp"
#include "docking/setup/make_ensemble.hpp"
#include "docking/setup/membrane_room.hpp"
#include "docking/setup/prepare.hpp"
#include "io/text/counted.hpp"
#include "kokkos_kernels/device/memory_budget.hpp"

namespace tessera::plan {

namespace {

using docking::DockInput;
using docking::PreparedDocking;

DockingSize size_of(const PreparedDocking& prepared) {
    DockingSize size;
    size.n = prepared.problem.n;
    size.channels = static_cast<int>(prepared.problem.channels.size());
    size.sets = static_cast<int>(prepared.problem.sets.size());
    size.members = static_cast<int>(prepared.problem.group.size());
    size.rotations = static_cast<double>(prepared.rotations.size());
    size.atoms = static_cast<double>(prepared.problem.ligand.size());
    return size;
}

std::string arrangement_of(const kernels::SearchMemory& memory, int members) {
    std::string text = fmt::format(
        "{} per batch, {} of {} orbit members per pass; {:.2f} GiB planned "
        "(receptor {:.2f}, ligand {:.2f}, scores {:.2f}, FFT {:.2f})",
        io::counted(kernels::bases_per_batch, "base rotation"), memory.members_per_pass, members,
        memory.total() / 0x1p30, memory.receptor_bytes / 0x1p30, memory.ligand_bytes / 0x1p30,
        memory.score_bytes / 0x1p30, memory.workspace_bytes / 0x1p30);
    if (memory.members_resident < members) text += ", receptor spectra recomputed";
    return text;
}

/// Some base rotations, spread over the whole set.
std::vector<Quaternion> some_bases(const docking::RotationSet& rotations) {
    const auto all = static_cast<std::int64_t>(rotations.bases.size());
    const std::int64_t count = std::min<std::int64_t>(all, kernels::bases_per_batch);
    std::vector<Quaternion> bases;
    for (std::int64_t i = 0; i < count; ++i)
        bases.push_back(rotations.bases[static_cast<std::size_t>(i * all / count)]);
    return bases;
}

/// Fills `rank` for the device of this machine, or for one of the table.
SearchSample plan_search(const PreparedDocking& prepared, const PlanRequest& request,
                         const PlannedDevice& device, RankPlan& rank,
                         std::span<const Quaternion> bases) {
    const DockingSize size = size_of(prepared);
    const std::int64_t budget =
        memory_budget(rank.device.backend, rank.device.free_bytes, request.memory_gib);
    SearchSample sample;
    sample.group = prepared.problem.group;
    try {
        const kernels::SearchMemory memory =
            kernels::plan_memory(prepared.problem, rank.device.backend, budget);
        rank.memory_bytes = memory.total();
        rank.arrangement = arrangement_of(memory, size.members);
        if (device.is_here()) {
            sample = sample_search(rank.device, prepared.problem, budget, bases);
            rank.basis = Basis::sampled;
            rank.start_basis = Basis::sampled;
        } else {
            sample.rotation_seconds = table_rotation_seconds(rank.device, size, memory);
            sample.start_seconds = table_start_seconds(rank.device, size, memory);
            sample.terms_seconds = 2e-6;  // about: 8,000 poses take some 0.02 s on an H200
        }
        // The last batch takes as long as the others, even if it has fewer bases.
        const double bases_in_all = size.rotations / size.members;
        const double batches = std::ceil(bases_in_all / kernels::bases_per_batch);
        rank.item_seconds =
            sample.rotation_seconds * batches * kernels::bases_per_batch / bases_in_all;
        rank.start_seconds += sample.start_seconds;
    } catch (const Error& error) {
        if (error.code() != ExitCode::resources) throw;
        rank.why_not = error.what();
    }
    return sample;
}

/// The plan of all pairs of conformers from that of one. Each pair is prepared, searched and
/// refined alone, and all refined poses are compared in one consensus. `load_seconds` is what the
/// device takes until it can search a pair.
void repeat(LocalPlan& plan, double load_seconds, std::size_t pairs) {
    const auto times = static_cast<double>(pairs);
    const auto whole = static_cast<std::int64_t>(pairs);
    plan.job.items *= times;
    plan.job.tiles *= whole;
    plan.job.second.items *= times;
    plan.job.second.tiles *= whole;
    plan.rank.start_seconds += (times - 1) * load_seconds;
    for (PhaseEstimate& phase : plan.before) phase.seconds *= times;
    for (PhaseEstimate& phase : plan.after) {
        if (phase.name == "gather" || phase.name == "rank") phase.seconds *= times;
        if (phase.name == "refine") phase.seconds *= times * times;  // compares all with all
    }
}

/// Seconds that the restraints of the poses of one rotation take on the host.
double restraint_seconds(const DockInput& input, const PreparedDocking& prepared,
                         const std::vector<kernels::RigidPose>& tried) {
    if (prepared.restraints.empty()) return 0;
    const double seconds = seconds_of([&] {
        for (const kernels::RigidPose& pose : tried) prepared.restraints.are_satisfied(pose);
    });
    const auto poses = static_cast<double>(input.sets.size()) * input.poses_searched();
    return seconds / static_cast<double>(tried.size()) * poses / docking::max_threads();
}

/// Adds the docking of rings in pairs. Assemblies count as so many poses of the second stage as
/// take their time.
void add_assemblies(LocalPlan& plan, const AssemblyEstimate& estimate) {
    if (plan.rank.second_item_seconds > 0)
        plan.job.second.items +=
            estimate.assemblies * estimate.refine_seconds / plan.rank.second_item_seconds;
    plan.job.second.tiles += std::ssize(cut_into_tiles(
        2 * static_cast<std::int64_t>(estimate.assemblies), docking::poses_per_tile));
    for (PhaseEstimate& phase : plan.after)
        if (phase.name == "refine") phase.seconds += estimate.find_seconds;
    plan.notes.push_back(
        fmt::format("assemblies: about {:.0f} of pairs of rings are refined", estimate.assemblies));
}

std::string no_pose_tried(std::size_t rotations) {
    return "warning: " + io::counted(rotations, "rotation") +
           " tried, and the membrane allowed no pose that touches the receptor: the run may fail; "
           "check --membrane, --membrane-axis and the frames of the files";
}

}  // namespace

DockingPlan plan_one_docking(const DockInput& input, docking::RotationSet rotations,
                             const PlanRequest& request, SharedDevice& shared, bool alone) {
    DockingPlan one;
    LocalPlan& plan = one.plan;
    PreparedDocking prepared;
    const double preparing = seconds_of([&] {
        prepared =
            docking::prepare(input, std::move(rotations), nullptr, docking::make_ensemble(input));
    });
    if (alone) docking::require_room(prepared);
    plan.before = {{"prepare", preparing, Basis::measured}};
    plan.notes = prepared.messages;
    one.size = size_of(prepared);

    plan.job = {"dock", "rotations", one.size.rotations, 0, "search"};
    plan.job.tiles =
        std::ssize(cut_into_tiles(static_cast<std::int64_t>(prepared.rotations.bases.size()),
                                  docking::bases_per_tile(prepared.rotations)));
    if (const double poses = refined_poses(input, one.size.rotations); poses > 0)
        plan.job.second = {
            "refine", poses,
            std::ssize(cut_into_tiles(static_cast<std::int64_t>(poses), docking::poses_per_tile))};
    plan.rank.precision = "single";
    const PlannedDevice& device = shared.start(request, plan.rank);
    if (!plan.rank.can_run()) return one;
    const std::vector<Quaternion> bases = some_bases(prepared.rotations);
    const SearchSample sample = plan_search(prepared, request, device, plan.rank, bases);
    if (!plan.rank.can_run()) return one;
    one.load_seconds = sample.start_seconds;
    if (alone && prepared.membrane && device.is_here() && sample.poses.empty())
        plan.notes.push_back(no_pose_tried(bases.size() * sample.group.size()));
    const auto tried = poses_to_try(prepared, sample, bases);
    if (plan.job.second.tiles > 0)
        plan.rank.second_item_seconds =
            device.is_here() ? sample_refinement(plan.rank.device, prepared.refinement, tried)
                             : table_refine_seconds(plan.rank.device, one.size);
    plan.rank.item_seconds += restraint_seconds(input, prepared, tried);
    plan.after = plan_after_search(input, prepared, sample, tried, plan.rank.basis);
    if (input.symmetry.dihedral)
        add_assemblies(plan,
                       plan_assemblies(input, prepared, plan.rank, plan.job.second.items, tried));
    one.dockings = static_cast<double>(prepared.ensemble.combinations());
    if (prepared.ensemble.combinations() > 1)
        repeat(plan, sample.start_seconds, prepared.ensemble.combinations());
    return one;
}

LocalPlan plan_docking(const DockInput& input, const PlanRequest& request) {
    docking::RotationSet rotations;
    const double choosing = seconds_of([&] { rotations = docking::choose_rotations(input); });
    SharedDevice device;
    LocalPlan plan = plan_one_docking(input, std::move(rotations), request, device, true).plan;
    plan.before.insert(
        plan.before.begin(),
        {"start program", request.program_start_seconds + choosing, Basis::measured});
    return plan;
}

}  // namespace tessera::plan
