// The docking search on one device. It scores all rotations of a batch of bases and returns only
// the best poses.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/memory_plan.hpp"
#include "kokkos_kernels/docking/term_sums.hpp"

namespace tessera::kernels {

/// Seconds spent per stage since construction. They are measured only on request, because each
/// stage is then fenced.
struct StageTimes {
    double voxelize = 0, forward = 0, accumulate = 0, inverse = 0, filter = 0;
};

class CorrelationSearch : public TermSums {
  public:
    /// Returns the best poses of every rotation group[m] * bases[b] and every set, up to
    /// poses_per_rotation each. Rotations are numbered from first_base * group.size(). Poses are
    /// ordered by (rotation, set, score).
    virtual std::vector<PoseRecord> run(std::span<const Quaternion> bases,
                                        std::int64_t first_base) = 0;

    /// Switches to another problem and keeps the plans and arrays. The results are the same as
    /// those of a search made for that problem. Returns false and changes nothing if a size differs
    /// (grid, channels, sets, group, poses per rotation). `same_receptor` says that receptor grids,
    /// group and sets equal those of the present problem, so that its spectra are kept.
    virtual bool load(const CorrelationProblem& problem, bool same_receptor) = 0;

    virtual const SearchMemory& memory() const = 0;
    virtual void measure_stages(bool on) = 0;
    virtual const StageTimes& stage_times() const = 0;
};

/// Builds the search on a started backend, within `memory_budget` bytes.
std::unique_ptr<CorrelationSearch> make_correlation_search(Backend backend,
                                                           const CorrelationProblem& problem,
                                                           std::int64_t memory_budget);

}  // namespace tessera::kernels
