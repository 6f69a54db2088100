// The electrostatic potential of the frames of a run, on one device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kokkos_kernels/orbitals/esp/potential_evaluator.hpp"
#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

class FramePotential {
  public:
    /// `tolerance`: the largest change by what is neglected, hartree/e. `prepared` must outlive
    /// the object.
    FramePotential(std::unique_ptr<kernels::PotentialEvaluator> evaluator,
                   const PreparedOrbitals& prepared, double tolerance)
        : evaluator_(std::move(evaluator)), prepared_(prepared), tolerance_(tolerance) {}

    /// The potential of a frame (its index) at points in bohr, in hartree/e. It is that of all
    /// nuclei and electrons, of both spins. Throws TileFailure if a value is not finite or the
    /// device fails.
    std::vector<double> at(std::int32_t frame, std::span<const Vec3> points);

    /// The values of a tile of potential_points.
    std::vector<double> at_points_of(const OrbitalWork& work);
    /// Writes the values of a tile of the grid, [z][y][x], as doubles or rounded to floats. `out`
    /// may be null.
    void on_planes_of(const OrbitalWork& work, bool as_doubles, void* out);

    double kernel_seconds() const { return evaluator_->kernel_seconds(); }

  private:
    std::unique_ptr<kernels::PotentialEvaluator> evaluator_;
    const PreparedOrbitals& prepared_;
    double tolerance_;
    std::int32_t loaded_ = -1;
};

}  // namespace tessera::orbitals
