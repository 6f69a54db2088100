// Derived fields on grids, on one device.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/orbitals/derived_field.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

class FieldEvaluator {
  public:
    virtual ~FieldEvaluator() = default;

    /// Takes a frame. All rows of the problem are occupied orbitals. Its tolerance must hold for
    /// the derivatives that the fields need (OrbitalProblem::derivatives).
    virtual void load(const OrbitalProblem& problem, const FieldWeights& weights) = 0;

    /// Evaluates fields on a block, in double precision and in one pass over the orbitals:
    /// out[((field * nz + z) * ny + y) * nx + x], rounded to float unless the problem asks for
    /// double. `out` may be null. Returns for each field the sum over the block's points,
    /// compensated and in fixed order. Values depend neither on the block nor on the other fields,
    /// but their last bits depend on the highest derivative that any of the fields needs. Throws
    /// TileFailure if a value is not finite or memory runs out.
    virtual std::vector<CompensatedSum<double>>
    evaluate(const PointBlock& block, std::span<const DerivedField> fields, void* out) = 0;

    /// Seconds in kernels since construction, including the building of lists.
    virtual double kernel_seconds() const = 0;
};

std::unique_ptr<FieldEvaluator> make_field_evaluator(Backend backend);

}  // namespace tessera::kernels
