// Orbitals and densities on grids, on one device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/compensated_sum.hpp"
#include "kokkos_kernels/device/device.hpp"
#include "kokkos_kernels/orbitals/orbital_problem.hpp"

namespace tessera::kernels {

/// Triangles of psi = level, then of psi = -level, in the evaluator's memory. They are valid until
/// its next call. Lengths are in bohr. Normals have unit length and point from larger to smaller
/// |psi| (outwards).
struct SurfaceView {
    std::span<const std::array<float, 3>> vertices, normals;
    std::span<const std::array<std::uint32_t, 3>> triangles;  ///< indices into vertices
    std::size_t positive_vertices = 0, positive_triangles = 0;
};

/// Orbitals that are evaluated together.
struct OrbitalBatch {
    std::span<const int> orbitals;  ///< rows of the problem
    std::size_t part_of = 0;        ///< see OrbitalValues::evaluate()
};

/// Values, sums over them, and surfaces.
class OrbitalValues {
  public:
    virtual ~OrbitalValues() = default;

    /// Takes a frame and reuses the device memory of the previous one.
    virtual void load(const OrbitalProblem& problem) = 0;

    /// Evaluates `orbitals` (rows of the problem) on a block: out[(o * nz + z) * ny * nx + y * nx +
    /// x] is float, or double if the problem asks for it. `out` may be null if only norms are
    /// needed.
    /// Returns, for each orbital, the sum of psi^2 over the block's points, compensated and in
    /// fixed order. The norm is this sum times the cell volume.
    /// A call with few orbitals may use another kernel than a call with many, and the kernels round
    /// differently. `part_of` is the number of orbitals that chooses the kernel, if it is larger. A
    /// call in parts thus has the bits of one call for all. Throws TileFailure if a value is not
    /// finite or memory runs out.
    virtual std::vector<CompensatedSum<double>> evaluate(const PointBlock& block,
                                                         std::span<const int> orbitals, void* out,
                                                         std::size_t part_of = 0) = 0;

    /// Computes sum_i weights[i] psi_{orbitals[i]}^2 on a block, for at least one orbital. `out`
    /// has the same layout, in host memory, or is null. If all these orbitals are computed in one
    /// precision, it may lie in the device's memory. The sum is in the given order, but orbitals
    /// computed in double come last.
    virtual CompensatedSum<double> density(const PointBlock& block, std::span<const int> orbitals,
                                           std::span<const double> weights, void* out) = 0;

    /// The surfaces psi = +-level (level > 0) of one orbital within the block, by marching cubes on
    /// the device. Vertices are welded, and normals come from the analytic gradient. Grids do not
    /// leave the device.
    virtual SurfaceView isosurface(const PointBlock& block, int orbital, double level) = 0;

    /// Whether this orbital of the loaded problem is computed in double. This is so if the problem
    /// asks for it, or if single precision would be too coarse (rounding.hpp). In the second case
    /// the values are rounded.
    virtual bool computed_in_double(int orbital) const = 0;

    /// Seconds in kernels since construction, including the building of lists.
    virtual double kernel_seconds() const = 0;
};

/// The interface that callers use: values, surfaces and overlaps.
class OrbitalEvaluator : public OrbitalValues {
  public:
    /// Sums over a block's points of psi_i psi_j, with i from `rows` and j from `columns`:
    /// [row][column]. The sums are compensated, in an order that depends neither on the other
    /// orbitals nor on threads. Values are those that evaluate() writes. Products and sums are in
    /// double. The device's memory holds all values of both batches. Throws TileFailure as
    /// evaluate() does.
    virtual std::vector<CompensatedSum<double>> overlaps(const PointBlock& block, OrbitalBatch rows,
                                                         OrbitalBatch columns) = 0;
};

std::unique_ptr<OrbitalEvaluator> make_orbital_evaluator(Backend backend);

}  // namespace tessera::kernels
