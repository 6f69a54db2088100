// A fit by one process alone, from its problem to its result. Without MPI and
// without files, so that a process of another language can use it.
#pragma once

#include <functional>
#include <string>

#include "engine/result_in_memory.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "likelihood/fit/fit_problem.hpp"

namespace tessera::likelihood {

/// How a fit alone is carried out. This does not change its result.
struct FitAlone {
    const kernels::DeviceInfo& device;  ///< runs already
    io::RunRecord record;               ///< what is known of the call
    std::function<bool()> stop;         ///< asked after each batch of evaluations; may be empty
};

/// The result that `tessera fit` would write to a file, with the bits that any number of ranks
/// finds on the same kind of device. Throws Error as the command does, and with exit code 75 if it
/// was stopped.
engine::ResultWriter fit_alone(const LikelihoodInput& input, const FitProblem& problem,
                               const FitAlone& run);

}  // namespace tessera::likelihood
