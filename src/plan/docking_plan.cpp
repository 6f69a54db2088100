#include "plan/docking_plan.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "docking/dock_workload.hpp"
#include "docking/prepare.hpp"

namespace tessera::plan {

namespace {

using docking::DockInput;
using docking::PreparedDocking;

// Measured on two cores, and of little weight: seconds.
constexpr double record_seconds = 25e-9;    // of a found pose, to be gathered and sorted
constexpr double pair_seconds = 25e-9;      // of two poses that are compared for clustering
constexpr double pair_atom_seconds = 1e-9;  // and of a C-alpha of theirs
constexpr double write_seconds = 0.01, write_bytes_rate = 3e8;

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
        "{} base rotations a batch, {} of {} orbit members a pass; {:.2f} GiB planned "
        "(receptor {:.2f}, ligand {:.2f}, scores {:.2f}, FFT {:.2f})",
        kernels::bases_per_batch, memory.members_per_pass, members, memory.total() / 0x1p30,
        memory.receptor_bytes / 0x1p30, memory.ligand_bytes / 0x1p30, memory.score_bytes / 0x1p30,
        memory.workspace_bytes / 0x1p30);
    if (memory.members_resident < members) text += ", receptor spectra made anew";
    return text;
}

/// Bases spread over the whole set.
std::vector<Quaternion> some_bases(const docking::RotationSet& rotations) {
    const auto all = static_cast<std::int64_t>(rotations.bases.size());
    const std::int64_t count = std::min<std::int64_t>(all, kernels::bases_per_batch);
    std::vector<Quaternion> bases;
    for (std::int64_t i = 0; i < count; ++i)
        bases.push_back(rotations.bases[static_cast<std::size_t>(i * all / count)]);
    return bases;
}

/// Poses of the sample, for the steps that follow the search; without a sample one pose many times.
struct TriedPoses {
    std::vector<docking::Pose> poses;
    std::vector<Quaternion> rotations;
};

TriedPoses tried_poses(const PreparedDocking& prepared, const SearchSample& sample,
                       std::vector<Quaternion> bases) {
    constexpr std::size_t most = 100;
    const docking::DockingFrame& frame = prepared.frame;
    TriedPoses tried;
    const docking::RotationSet set{std::move(bases), sample.group, ""};
    for (const kernels::PoseRecord& record : sample.poses) {
        if (tried.poses.size() == most) break;
        const auto t = kernels::wrapped_translation(record.voxel, frame.n);
        docking::Pose pose;
        pose.translation =
            frame.receptor_center + frame.spacing * Vec3{1.0 * t[0], 1.0 * t[1], 1.0 * t[2]};
        tried.poses.push_back(pose);
        tried.rotations.push_back(set[record.rotation]);
    }
    if (tried.poses.empty()) {
        docking::Pose pose;
        pose.translation = frame.receptor_center + Vec3{15, 0, 0};
        tried.poses.assign(32, pose);
        tried.rotations.assign(32, set.bases.front());
    }
    return tried;
}

double cluster_seconds(const DockInput& input, const PreparedDocking& prepared,
                       const TriedPoses& tried, double poses, int threads) {
    const double seconds = seconds_of([&] {
        docking::cluster_poses(tried.poses, tried.rotations, prepared.frame.ligand_center,
                               prepared.receptor_structure, prepared.ligand_structure,
                               input.clustering);
    });
    const auto residues = static_cast<double>(
        std::ranges::count(prepared.ligand_structure.atoms, std::string("CA"),
                           [](const io::AtomRecord& atom) { return std::string(atom.name); }));
    const double pair = pair_seconds + pair_atom_seconds * residues;
    const auto sampled = static_cast<double>(tried.poses.size());
    const double place = std::max(0.0, seconds - pair * sampled * sampled / 2) / sampled;
    const double count = std::min(poses, static_cast<double>(input.clustering.poses));
    return (place * count + pair * count * count / 2) / (count >= 200 ? threads : 1);
}

double evaluation_seconds(const PreparedDocking& prepared, const TriedPoses& tried, double poses,
                          int threads) {
    if (!prepared.evaluation) return 0;
    const double seconds = seconds_of([&] {
        for (std::size_t i = 0; i < tried.poses.size(); ++i)
            (*prepared.evaluation)(tried.rotations[i], prepared.frame.ligand_center,
                                   tried.poses[i].translation);
    });
    return seconds / static_cast<double>(tried.poses.size()) * poses / threads;
}

/// What rank 0 does with what all have found.
std::vector<PhaseEstimate> finish(const DockInput& input, const PreparedDocking& prepared,
                                  const SearchSample& sample, std::vector<Quaternion> bases,
                                  Basis basis) {
    const DockingSize size = size_of(prepared);
    const double found = size.rotations * size.sets * input.poses_per_rotation;
    const double kept =
        std::min(static_cast<double>(input.poses), size.rotations * input.poses_per_rotation);
    const int threads = std::max(1, omp_get_max_threads());
    const TriedPoses tried = tried_poses(prepared, sample, std::move(bases));
    const double clusters = cluster_seconds(input, prepared, tried, kept, threads);
    const double qualities = evaluation_seconds(prepared, tried, kept, threads);
    const double bytes = size.rotations * 32 + size.sets * kept * 100;
    return {{"gather", found * record_seconds, Basis::table},
            {"rank", found * record_seconds + size.sets * kept * sample.terms_seconds, basis},
            {"cluster and evaluate", size.sets * (clusters + qualities), Basis::sampled},
            {"write result", write_seconds + bytes / write_bytes_rate, Basis::table}};
}

/// Fills `rank` for the device that is here, or for one of the table.
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
            sample.terms_seconds =
                2e-6;  // about, on an H200: 8000 poses take hundredths of a second
        }
        // The last batch costs as much as the others, however few bases it has.
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

}  // namespace

LocalPlan plan_docking(const DockInput& input, const PlanRequest& request) {
    LocalPlan plan;
    docking::RotationSet rotations;
    const double choosing = seconds_of([&] { rotations = docking::choose_rotations(input); });
    PreparedDocking prepared;
    const double preparing =
        seconds_of([&] { prepared = docking::prepare(input, std::move(rotations)); });
    plan.before = {{"start program", request.program_start_seconds + choosing, Basis::measured},
                   {"prepare", preparing, Basis::measured}};
    plan.notes = prepared.messages;

    plan.job = {"dock", "rotations", static_cast<double>(prepared.rotations.size()), 0, "search"};
    plan.job.tiles =
        std::ssize(cut_into_tiles(static_cast<std::int64_t>(prepared.rotations.bases.size()),
                                  docking::bases_per_tile(prepared.rotations)));
    plan.rank.precision = "single";
    const PlannedDevice device = start_device(request, plan.rank);
    if (!plan.rank.can_run()) return plan;
    const std::vector<Quaternion> bases = some_bases(prepared.rotations);
    const SearchSample sample = plan_search(prepared, request, device, plan.rank, bases);
    if (plan.rank.can_run()) plan.after = finish(input, prepared, sample, bases, plan.rank.basis);
    return plan;
}

}  // namespace tessera::plan
