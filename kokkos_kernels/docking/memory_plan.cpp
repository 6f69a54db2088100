#include "kokkos_kernels/docking/memory_plan.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "kokkos_kernels/device/views.hpp"
#include "kokkos_kernels/docking/pose_filter.hpp"
#include "kokkos_kernels/docking/receptor_order.hpp"
#include "kokkos_kernels/fft/fft_shape.hpp"

namespace tessera::kernels {

namespace {

constexpr std::int64_t complex_bytes = sizeof(Complex), real_bytes = sizeof(float);
constexpr std::int64_t most_host_scores = std::int64_t{1} << 30;  ///< bytes of a pass, if it can be

std::string gibibytes(std::int64_t bytes) {
    const auto tenths = (bytes * 10 + (std::int64_t{1} << 29)) >> 30;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

}  // namespace

SearchMemory plan_memory(const CorrelationProblem& problem, Backend backend, std::int64_t budget) {
    const FftShape shape{problem.n};
    const auto channels = static_cast<std::int64_t>(problem.channels.size());
    const auto sets = static_cast<std::int64_t>(problem.sets.size());
    const int members = static_cast<int>(problem.group.size());
    const std::int64_t spectrum = shape.spectrum_stride() * complex_bytes;
    const std::int64_t grid = shape.points() * real_bytes;
    const std::int64_t cells = CellShape{problem.n}.cells() * real_bytes;

    SearchMemory memory;
    memory.ligand_bytes = bases_per_batch * channels * (spectrum + grid);
    if (backend == Backend::cuda)
        memory.workspace_bytes = cufft_workspace_bytes(shape, bases_per_batch);
    const std::int64_t per_member_receptor =
        channels * ReceptorOrder::stride(problem.n) * complex_bytes;
    const std::int64_t per_member_scores = bases_per_batch * sets * (spectrum + cells);
    const std::int64_t fixed =
        memory.ligand_bytes + memory.workspace_bytes + channels * (grid + spectrum);

    // Keep all members' receptor spectra if they fit. Otherwise keep those of one pass and
    // recompute them.
    std::int64_t left = budget - fixed - members * per_member_receptor;
    if (left >= per_member_scores) {
        memory.members_resident = members;
        memory.members_per_pass =
            static_cast<int>(std::min<std::int64_t>(members, left / per_member_scores));
    } else {
        left = budget - fixed;
        const std::int64_t fit = left / (per_member_receptor + per_member_scores);
        if (fit < 1)
            throw Error(
                "a docking grid of " + std::to_string(problem.n) + "^3 does not fit the device",
                "needs " + gibibytes(fixed + per_member_receptor + per_member_scores) + ", has " +
                    gibibytes(budget),
                "use a coarser --spacing, fewer --terms or coefficient sets, or a larger device",
                ExitCode::resources);
        memory.members_per_pass = static_cast<int>(std::min<std::int64_t>(members, fit));
        memory.members_resident = memory.members_per_pass;
    }
    // On a host a few members share what is read of the ligand's spectra. More gain little.
    if (backend != Backend::cuda) {
        const auto fit = static_cast<int>(most_host_scores / per_member_scores);
        memory.members_per_pass = std::min(memory.members_per_pass, std::clamp(fit, 1, 4));
    }
    memory.receptor_bytes =
        channels * (grid + spectrum) + memory.members_resident * per_member_receptor;
    memory.score_bytes = memory.members_per_pass * per_member_scores;
    return memory;
}

}  // namespace tessera::kernels
