// The search tried on the device that is here.
#include <algorithm>

#include "kokkos_kernels/fft_shape.hpp"
#include "plan/docking_plan.hpp"

namespace tessera::plan {

namespace {

constexpr double enough_seconds = 0.3;  // of sampling
constexpr std::size_t tried_poses = 256;

/// Of a host's memory bandwidth, what turning spectra reaches; measured on two cores.
constexpr double turning_share = 0.35;

double sum_of(const kernels::StageTimes& t) {
    return t.voxelize + t.forward + t.accumulate + t.inverse + t.filter;
}

kernels::StageTimes difference(const kernels::StageTimes& a, const kernels::StageTimes& b) {
    return {a.voxelize - b.voxelize, a.forward - b.forward, a.accumulate - b.accumulate,
            a.inverse - b.inverse, a.filter - b.filter};
}

/// The stages of the shortest of some runs of one member of each base's orbit.
kernels::StageTimes shortest_run(kernels::CorrelationSearch& search,
                                 std::span<const Quaternion> bases,
                                 std::vector<kernels::PoseRecord>& poses) {
    search.measure_stages(true);
    kernels::StageTimes best, before;
    double spent = 0;
    for (int run = 0; run == 0 || spent < enough_seconds; ++run) {
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
    search.terms(poses, of_poses);  // memory is touched first
    return seconds_of([&] { search.terms(poses, of_poses); }) / static_cast<double>(poses.size());
}

}  // namespace

SearchSample sample_search(const DeviceDescription& device,
                           const kernels::CorrelationProblem& problem, std::int64_t budget,
                           std::span<const Quaternion> bases) {
    const bool gpu = device.backend == kernels::Backend::cuda;
    kernels::CorrelationProblem tried = problem;
    if (!gpu) tried.group.resize(1);
    SearchSample sample;
    sample.group = tried.group;
    std::unique_ptr<kernels::CorrelationSearch> search;
    sample.start_seconds = seconds_of(
        [&] { search = kernels::make_correlation_search(device.backend, tried, budget); });
    const auto count = static_cast<double>(bases.size());
    const auto members = static_cast<double>(problem.group.size());
    if (gpu) {
        search->run(bases, 0);  // the first one loads the kernels
        sample.rotation_seconds =
            seconds_of([&] { sample.poses = search->run(bases, 0); }) / (count * members);
    } else {
        const kernels::StageTimes t = shortest_run(*search, bases, sample.poses);
        sample.rotation_seconds = (t.voxelize + t.forward) / (count * members) +
                                  (t.accumulate + t.inverse + t.filter) / count;
        const double spectrum =
            static_cast<double>(kernels::FftShape{problem.n}.spectrum_stride()) * 2 * sizeof(float);
        const double turned =
            (members - 1) * static_cast<double>(problem.channels.size()) * spectrum;
        sample.start_seconds += 2 * turned / (turning_share * device.bandwidth);
    }
    const std::span some(sample.poses.data(), std::min(sample.poses.size(), tried_poses));
    sample.terms_seconds =
        terms_seconds(*search, bases, some, static_cast<std::uint32_t>(tried.group.size()));
    return sample;
}

}  // namespace tessera::plan
