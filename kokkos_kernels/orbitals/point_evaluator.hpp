// Orbitals and densities with their gradients, and derived fields, at points that form no grid.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/orbitals/derived_field.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// A value and its derivatives by x, y and z (per bohr).
struct PointValue {
    double value = 0;
    std::array<double, 3> gradient{};
};

/// The sum over all rows of a problem of weights[row] * psi, or of weights[row] * psi^2.
struct PointSum {
    std::span<const double> weights;
    bool of_squares = false;
};

class PointEvaluator {
  public:
    virtual ~PointEvaluator() = default;

    /// The sum and its gradient at every point (bohr), in double precision. Neither the problem's
    /// tolerance nor its grid plays a part: a primitive is left out only where its exponential is
    /// below 2^-100. The bits at a point do not depend on the other points. Throws Error for groups
    /// that the kernels cannot evaluate, and TileFailure if memory runs out.
    virtual std::vector<PointValue> evaluate(const OrbitalProblem& problem, const PointSum& sum,
                                             std::span<const std::array<float, 3>> points) = 0;

    /// Derived fields of a density at every point (bohr), in double precision: [field][point]. All
    /// rows of the problem are occupied orbitals. The rest is as above.
    virtual std::vector<double> evaluate_fields(const OrbitalProblem& problem,
                                                const FieldWeights& weights,
                                                std::span<const DerivedField> fields,
                                                std::span<const std::array<float, 3>> points) = 0;
};

std::unique_ptr<PointEvaluator> make_point_evaluator(Backend backend);

}  // namespace tessera::kernels
