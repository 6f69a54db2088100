// Overlaps of orbitals on a grid: the sums of their products over its points.
#pragma once

#include <memory>

#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"

namespace tessera::kernels {

/// Sums for one type of values, float or double, on one kind of device.
class OverlapSums {
  public:
    virtual ~OverlapSums() = default;
    /// The sums of OrbitalEvaluator::overlaps(), over the values that `source` would write.
    virtual std::vector<CompensatedSum<double>> add_up(OrbitalValues& source,
                                                       const PointBlock& block, OrbitalBatch rows,
                                                       OrbitalBatch columns) = 0;
    virtual double kernel_seconds() const = 0;
};

std::unique_ptr<OverlapSums> make_overlap_sums(Backend backend, bool double_values);

}  // namespace tessera::kernels
