#pragma once

#include <limits>
#include <vector>

#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::kernels::testing {

template <class Real>
struct Evaluated {
    std::vector<Real> values;
    std::vector<CompensatedSum<double>> sums;
};

template <class Real>
Evaluated<Real> evaluate(OrbitalEvaluator& evaluator, const PointBlock& block,
                         const std::vector<int>& orbitals) {
    Evaluated<Real> result;
    result.values.assign(block.size() * orbitals.size(), std::numeric_limits<Real>::quiet_NaN());
    result.sums = evaluator.evaluate(block, orbitals, result.values.data());
    return result;
}

}  // namespace tessera::kernels::testing
