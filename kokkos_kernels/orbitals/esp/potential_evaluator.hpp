// The electrostatic potential at points, on one device.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/orbitals/esp/potential_problem.hpp"

namespace tessera::kernels {

class PotentialEvaluator {
  public:
    virtual ~PotentialEvaluator() = default;

    /// Takes a frame. Throws Error for a product that the kernels cannot evaluate, or if the
    /// products are not sorted by degree, and TileFailure if memory runs out.
    virtual void load(const PotentialProblem& problem) = 0;

    /// The potential at every point (bohr), in hartree per elementary charge and in double
    /// precision. A point nearer than nearest_charge to a charge counts as being so far away. The
    /// bits at a point do not depend on the other points. Throws TileFailure if a value is not
    /// finite or memory runs out.
    virtual std::vector<double> evaluate(std::span<const Vec3> points) = 0;

    /// Seconds in kernels since construction.
    virtual double kernel_seconds() const = 0;
};

std::unique_ptr<PotentialEvaluator> make_potential_evaluator(Backend backend);

}  // namespace tessera::kernels
