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

/// Triangles of psi = level, then those of psi = -level, in the evaluator's memory: good until it is
/// called again. Lengths in bohr; normals of unit length, pointing from larger to smaller |psi|
/// (outwards).
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

/// Values, what is summed over them, and surfaces.
class OrbitalValues {
  public:
    virtual ~OrbitalValues() = default;

    /// Takes a frame; reuses device memory of the one before.
    virtual void load(const OrbitalProblem& problem) = 0;

    /// Values of `orbitals` (rows of the problem) over a block: out[(o * nz + z) * ny * nx + y * nx + x],
    /// float, or double where the problem asks for it; out may be null (norms only). Returns the sum of
    /// psi^2 over the block's points per orbital, compensated, in fixed order (times the cell volume
    /// it is the norm). A call of few orbitals may take another kernel than one of many, which rounds
    /// differently: `part_of` is the number of orbitals whose kernels are taken where that is more, so
    /// that a call in parts has the bits of the whole. Throws TileFailure where a value is not finite or
    /// memory fails.
    virtual std::vector<CompensatedSum<double>> evaluate(const GridBlock& block,
                                                         std::span<const int> orbitals, void* out,
                                                         std::size_t part_of = 0) = 0;

    /// sum_i weights[i] psi_{orbitals[i]}^2 over a block, of at least one orbital; same layout, in host
    /// memory or null. Summed in the order given, those computed in double after the others.
    virtual CompensatedSum<double> density(const GridBlock& block, std::span<const int> orbitals,
                                           std::span<const double> weights, void* out) = 0;

    /// The surfaces psi = +-level (level > 0) of one orbital within the block, by marching cubes on the
    /// device; vertices welded, normals from the analytic gradient. Grids do not leave the device.
    virtual SurfaceView isosurface(const GridBlock& block, int orbital, double level) = 0;

    /// Whether the loaded problem's orbital is computed in double: where the problem asks for it, or where
    /// single precision would not carry it (rounding.hpp) and its values are rounded.
    virtual bool computed_in_double(int orbital) const = 0;

    /// Seconds of kernels since construction (list building included).
    virtual double kernel_seconds() const = 0;
};

/// And overlaps. What callers make.
class OrbitalEvaluator : public OrbitalValues {
  public:
    /// Sums over a block's points of psi_i psi_j, i of `rows` and j of `columns`: [row][column], compensated,
    /// in an order that neither depends on the orbitals beside them nor on threads. Values are those that
    /// evaluate() writes, products and sums in double; all values of both batches lie in the device's
    /// memory. Throws TileFailure as evaluate() does.
    virtual std::vector<CompensatedSum<double>> overlaps(const GridBlock& block, OrbitalBatch rows,
                                                         OrbitalBatch columns) = 0;
};

std::unique_ptr<OrbitalEvaluator> make_orbital_evaluator(Backend backend);

}  // namespace tessera::kernels
