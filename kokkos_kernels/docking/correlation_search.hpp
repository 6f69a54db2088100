// The docking search on one device: all rotations of a batch of bases, best poses only come back.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"
#include "kokkos_kernels/docking/term_sums.hpp"

namespace tessera::kernels {

/// Seconds spent per stage since construction; filled only when asked to (each stage is then fenced).
struct StageTimes {
    double voxelize = 0, forward = 0, accumulate = 0, inverse = 0, filter = 0;
};

/// Where the memory of a search goes, decided before any is taken.
struct SearchMemory {
    std::int64_t receptor_bytes = 0;  ///< grids and spectra, of all members or of those staged
    std::int64_t ligand_bytes = 0;
    std::int64_t score_bytes = 0;
    std::int64_t workspace_bytes = 0;
    int members_resident = 0;  ///< orbit members whose receptor spectra are kept at once
    int members_per_pass = 0;  ///< orbit members scored at once
    std::int64_t total() const {
        return receptor_bytes + ligand_bytes + score_bytes + workspace_bytes;
    }
};

/// Splits the search over orbit members so that it fits `budget` bytes; the arithmetic does not
/// change. Throws Error naming both sizes when even one member at a time does not fit.
SearchMemory plan_memory(const CorrelationProblem& problem, Backend backend, std::int64_t budget);

class CorrelationSearch : public TermSums {
  public:
    /// Best poses of every rotation group[m] * bases[b] and every set, numbered from
    /// first_base * group.size(): up to poses_per_rotation each, ordered by (rotation, set, rank).
    virtual std::vector<PoseRecord> run(std::span<const Quaternion> bases,
                                        std::int64_t first_base) = 0;

    /// Goes over to another problem in the same plans and arrays, with the same results as a search
    /// made for it; where its sizes (grid, channels, sets, group, poses per rotation) are others,
    /// returns false and nothing has changed. `same_receptor`: receptor grids, group and sets are
    /// those of the present problem, whose spectra are then kept.
    virtual bool load(const CorrelationProblem& problem, bool same_receptor) = 0;

    virtual const SearchMemory& memory() const = 0;
    virtual void measure_stages(bool on) = 0;
    virtual const StageTimes& stage_times() const = 0;
};

/// Builds the search on a backend of the running process, within `memory_budget` bytes of it.
std::unique_ptr<CorrelationSearch> make_correlation_search(Backend backend,
                                                           const CorrelationProblem& problem,
                                                           std::int64_t memory_budget);

}  // namespace tessera::kernels
