// Tries the docking search on the device of this machine (declared in docking_plan.hpp).
#include <algorithm>

#include "docking/refinement/refinement.hpp"
#include "kokkos_kernels/docking/refine.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {

namespace {

constexpr double docking_seconds = 0.3;  // of sampling
constexpr std::size_t tried_poses = 256;

constexpr std::size_t few_members = 4;

double sum_of(const kernels::StageTimes& t) {
    return t.voxelize + t.forward + t.accumulate + t.inverse + t.filter;
}

kernels::StageTimes difference(const kernels::StageTimes& a, const kernels::StageTimes& b) {
    return {a.voxelize - b.voxelize, a.forward - b.forward, a.accumulate - b.accumulate,
            a.inverse - b.inverse, a.filter - b.filter};
}

/// Stage times of the fastest of several runs. A run searches a few orbit members of each base.
kernels::StageTimes shortest_run(kernels::CorrelationSearch& search,
                                 std::span<const Quaternion> bases,
                                 std::vector<kernels::PoseRecord>& poses) {
    search.measure_stages(true);
    kernels::StageTimes best, before;
    double spent = 0;
    for (int run = 0; run == 0 || spent < docking_seconds; ++run) {
        poses = search.run(bases, 0);
        const kernels::StageTimes now = difference(search.stage_times(), before);
        before = search.stage_times();
        spent += sum_of(now);
        if (run == 0 || sum_of(now) < sum_of(best)) best = now;
    }
    return best;
}

double terms_seconds(kernels::CorrelationSearch& search, std::span<const Quaternion> bases,
                     std::span<const kernels::PoseRecord> poses, std::uint32_t members) {
    if (poses.empty()) return 0;
    std::vector<Quaternion> of_poses;
    for (const kernels::PoseRecord& pose : poses)
        of_poses.push_back(bases[pose.rotation / members]);
    search.terms(poses, of_poses);  // the first call touches the memory
    return seconds_of([&] { search.terms(poses, of_poses); }) / static_cast<double>(poses.size());
}

}  // namespace

SearchSample sample_search(const DeviceDescription& device,
                           const kernels::CorrelationProblem& problem, std::int64_t budget,
                           std::span<const Quaternion> bases) {
    const bool gpu = device.backend == kernels::Backend::cuda;
    const auto members = static_cast<double>(problem.group.size());
    kernels::CorrelationProblem tried = problem;
    SearchSample sample;
    std::unique_ptr<kernels::CorrelationSearch> search;
    const auto start = [&](std::size_t of_group) {
        search.reset();
        tried.group.assign(problem.group.begin(),
                           problem.group.begin() + static_cast<std::ptrdiff_t>(of_group));
        return seconds_of(
            [&] { search = kernels::make_correlation_search(device.backend, tried, budget); });
    };
    if (gpu || problem.group.size() <= few_members) {
        sample.start_seconds = start(problem.group.size());
    } else {
        // Each orbit member has its own rotated copy of the receptor spectra. The search with a few
        // members is kept, because they share work.
        const double one = start(1);
        const double few = start(few_members);
        sample.start_seconds =
            few + std::max(0.0, few - one) * (members - few_members) / (few_members - 1);
    }
    sample.group = tried.group;
    // A batch takes the same time, even if it has fewer bases.
    constexpr std::size_t batch = kernels::bases_per_batch;
    const std::size_t batches = (bases.size() + batch - 1) / batch;
    const auto count = static_cast<double>(batches * batch);
    if (gpu) {
        search->run(bases, 0);  // the first run loads the kernels
        sample.rotation_seconds =
            seconds_of([&] { sample.poses = search->run(bases, 0); }) / (count * members);
    } else {
        const kernels::StageTimes t = shortest_run(*search, bases, sample.poses);
        const auto tried_members = static_cast<double>(tried.group.size());
        sample.rotation_seconds = (t.voxelize + t.forward) / (count * members) +
                                  (t.accumulate + t.inverse + t.filter) / (count * tried_members);
    }
    const std::span some(sample.poses.data(), std::min(sample.poses.size(), tried_poses));
    sample.terms_seconds =
        terms_seconds(*search, bases, some, static_cast<std::uint32_t>(tried.group.size()));
    return sample;
}

double sample_refinement(const DeviceDescription& device, const kernels::RefineProblem& problem,
                         const std::vector<kernels::RigidPose>& poses) {
    const bool gpu = device.backend == kernels::Backend::cuda;
    const std::size_t count = gpu ? docking::poses_per_tile : std::max(16, 2 * device.threads);
    std::vector<kernels::RigidPose> starts;
    for (std::size_t i = 0; i < count; ++i) starts.push_back(poses[i % poses.size()]);
    const auto refinement = kernels::make_pose_refinement(device.backend, problem);
    if (gpu) refinement->refine(starts);  // the first run loads the kernels
    return seconds_of([&] { refinement->refine(starts); }) / static_cast<double>(count);
}

}  // namespace tessera::plan
