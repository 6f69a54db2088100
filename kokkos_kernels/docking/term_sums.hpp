// Energy terms of single poses, on the device, without the arrays of a search.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/docking/correlation_problem.hpp"

namespace tessera::kernels {

class TermSums {
  public:
    virtual ~TermSums() = default;

    /// Unweighted terms of poses by direct double-precision sums over the atoms (no transform).
    /// bases[i] is the base rotation of poses[i].
    virtual std::vector<std::array<double, max_terms>> terms(std::span<const PoseRecord> poses,
                                                             std::span<const Quaternion> bases) = 0;
};

/// Makes these sums for poses of a problem whose search no longer exists. They have the same bits
/// as that search's terms on the same backend. The receptor's grids take device memory.
std::unique_ptr<TermSums> make_term_sums(Backend backend, const CorrelationProblem& problem);

}  // namespace tessera::kernels
