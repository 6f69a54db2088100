// Times of pairs of a table that follow from those of one of them (scaled_pairs.hpp).
#include "plan/scaled_pairs.hpp"

#include <cmath>
#include <string>

#include "core/error.hpp"

namespace tessera::plan {

namespace {

/// A problem with the sizes that decide the memory, and no values.
kernels::CorrelationProblem empty_problem(const DockingSize& size) {
    kernels::CorrelationProblem problem;
    problem.n = size.n;
    problem.channels.resize(static_cast<std::size_t>(size.channels));
    problem.sets.resize(static_cast<std::size_t>(size.sets));
    problem.group.resize(static_cast<std::size_t>(size.members));
    return problem;
}

double seconds_of_phase(const std::vector<PhaseEstimate>& phases, const std::string& name) {
    double sum = 0;
    for (const PhaseEstimate& phase : phases)
        if (phase.name == name) sum += phase.seconds;
    return sum;
}

}  // namespace

Scale::Scale(const DockingPlan& tried, std::int64_t budget) : tried_(tried), budget_(budget) {
    const LocalPlan& plan = tried.plan;
    of_tried_.load = tried.load_seconds * tried.dockings;
    of_tried_.search = plan.rank.item_seconds * tried.size.rotations * tried.dockings;
    of_tried_.rank = seconds_of_phase(plan.after, "rank");
    of_tried_.refine = plan.rank.second_item_seconds * plan.job.second.items +
                       seconds_of_phase(plan.after, "refine");
    of_tried_.prepare = seconds_of_phase(plan.before, "prepare");
    of_tried_.finish = seconds_of_phase(plan.after, "cluster and evaluate") +
                       seconds_of_phase(plan.after, "write result");
}

PairSeconds Scale::operator()(const SizedPair& pair) const {
    DockingSize size = tried_.size;
    size.n = pair.n;
    size.atoms = pair.atoms;
    const double points = std::pow(size.n, 3) / std::pow(tried_.size.n, 3);
    const double atoms = size.atoms / tried_.size.atoms;
    PairSeconds seconds = of_tried_;
    seconds.load *= points;
    seconds.prepare *= points;
    seconds.search *= search_seconds(size) / search_seconds(tried_.size);
    seconds.rank *= atoms;
    const DeviceDescription& gpu = tried_.plan.rank.device;
    seconds.refine *= gpu.backend == kernels::Backend::cuda
                          ? table_refine_seconds(gpu, size) / table_refine_seconds(gpu, tried_.size)
                          : atoms;
    return seconds;
}

double Scale::search_seconds(const DockingSize& size) const {
    const DeviceDescription& device = tried_.plan.rank.device;
    const kernels::SearchMemory memory =
        kernels::plan_memory(empty_problem(size), device.backend, budget_);
    if (device.backend == kernels::Backend::cuda)
        return table_rotation_seconds(device, size, memory);
    return std::pow(size.n, 3) * std::log2(size.n);  // the transforms
}

}  // namespace tessera::plan
