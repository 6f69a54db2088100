// Values of orbitals and densities at the vertices of isosurfaces: normals and scalars.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kokkos_kernels/orbitals/point_evaluator.hpp"
#include "orbitals/tiles/frame_potential.hpp"
#include "orbitals/tiles/prepare.hpp"
#include "orbitals/tiles/surface.hpp"

namespace tessera::orbitals {

using Vertices = std::span<const std::array<float, 3>>;  ///< bohr

/// Unit vectors along which |value| falls. The first `positive` vertices belong to the positive
/// lobe. Where the gradient vanishes the normal is (0, 0, 1).
std::vector<std::array<float, 3>> outward_normals(std::span<const kernels::PointValue> values,
                                                  std::size_t positive);

/// Evaluates one frame at vertices. The arguments must outlive the object. Without `potential`, no
/// vertex field may be the potential.
class VertexValues {
  public:
    VertexValues(kernels::PointEvaluator& evaluator, const PreparedOrbitals& prepared,
                 std::int32_t frame, FramePotential* potential = nullptr)
        : evaluator_(evaluator),
          potential_(potential),
          prepared_(prepared),
          number_(frame),
          frame_(prepared.frames[static_cast<std::size_t>(frame)]) {}

    /// The orbital or density of a surface: an item of the selection, or one of the items for
    /// densities (surface.hpp).
    std::vector<kernels::PointValue> of_surface(std::int32_t item, Vertices vertices) const;

    /// The vertex fields of the run: [field][vertex]. `own` are the values of of_surface(), which
    /// may be empty; then they are computed if a field needs them.
    std::vector<double> scalars(std::int32_t item, Vertices vertices,
                                std::vector<kernels::PointValue> own = {}) const;

  private:
    kernels::OrbitalProblem unscreened() const;
    std::vector<kernels::PointValue> orbital(const TrackedOrbital& orbital,
                                             Vertices vertices) const;
    std::vector<kernels::PointValue> density(bool of_spin, Vertices vertices) const;
    std::vector<kernels::PointValue> combination(int index, Vertices vertices) const;
    /// The derived fields among the vertex fields, one after the other.
    std::vector<double> derived_fields(Vertices vertices) const;
    void add_potential(Vertices vertices, std::vector<double>& scalars) const;

    kernels::PointEvaluator& evaluator_;
    FramePotential* potential_;
    const PreparedOrbitals& prepared_;
    std::int32_t number_;  ///< index of the frame
    const OrbitalFrame& frame_;
};

}  // namespace tessera::orbitals
