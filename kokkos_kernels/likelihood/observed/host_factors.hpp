// Factors of the densities at stars with observables, computed on the processor.
#pragma once

#include <vector>

#include "kokkos_kernels/likelihood/observed/table.hpp"

namespace tessera::kernels {

struct HostFactors {
    std::vector<double> factors;    ///< [star][1 + streams], at most 1
    std::vector<double> log_scale;  ///< [star] natural logarithm of what all of them are divided by
};

/// `distributions` of one parameter set: [distribution][distribution_numbers()].
HostFactors host_factors(const ObservedTable& table, const std::vector<double>& distributions);

}  // namespace tessera::kernels
