// How the arrays of a docking search fit into the memory of its device.
#pragma once

#include <cstdint>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::kernels {

/// Where the memory of a search goes. This is decided before any memory is taken.
struct SearchMemory {
    std::int64_t receptor_bytes = 0;  ///< grids and spectra, of all members or of the staged ones
    std::int64_t ligand_bytes = 0;
    std::int64_t score_bytes = 0;
    std::int64_t workspace_bytes = 0;
    int members_resident = 0;  ///< orbit members whose receptor spectra are kept at once
    int members_per_pass = 0;  ///< orbit members scored at once
    std::int64_t total() const {
        return receptor_bytes + ligand_bytes + score_bytes + workspace_bytes;
    }
};

/// Splits the search over orbit members so that it fits `budget` bytes. The arithmetic does not
/// change. Throws Error naming both sizes if even one member at a time does not fit.
SearchMemory plan_memory(const CorrelationProblem& problem, Backend backend, std::int64_t budget);

}  // namespace tessera::kernels
