// Isosurfaces of an orbital whose values on a grid block are in the device's memory.
#pragma once

#include "kokkos_kernels/orbitals/evaluator_parts.hpp"
#include "kokkos_kernels/orbitals/orbital_evaluator.hpp"
#include "kokkos_kernels/orbitals/surface_maker.hpp"

namespace tessera::kernels {

template <class Real, class Device>
class GridSurfaces {
  public:
    explicit GridSurfaces(EvaluatorParts<Real, Device>& parts) : parts_(parts) {}

    template <class Shape>
    SurfaceView make(const PointBlock& block, const Real* values, int orbital, double level) {
        const TileFrame where = parts_.template frame<Shape>(block);
        const LevelGrid<Real> grid{values, block.shape[0], block.shape[1], block.shape[2],
                                   static_cast<Real>(level)};
        parts_.clock.begin(parts_.space);
        surface_.extract(parts_.space, grid, where);
        make_normals<Shape>(where, grid, orbital);
        parts_.clock.end(parts_.space);
        const SurfaceView view = surface_.download(parts_.space);
        parts_.space.fence("tessera::orbitals: the surface is read");
        parts_.clock.collect();
        return view;
    }

  private:
    template <class Shape>
    void make_normals(const TileFrame& where, const LevelGrid<Real>& grid, int orbital) {
        const PassLists passes = parts_.passes.begin(parts_.space, parts_.problem, where);
        VertexNormals<Real, Shape> kernel{where,
                                          parts_.problem.groups,
                                          parts_.problem.coefficients +
                                              orbital * parts_.problem.stride,
                                          passes.lists,
                                          passes.lengths,
                                          parts_.problem.group_count,
                                          0,
                                          0,
                                          0,
                                          grid.nx,
                                          grid.ny,
                                          nullptr,
                                          nullptr,
                                          nullptr};
        for (int box = 0; box < where.box_count(); box += passes.boxes) {
            kernel.first_box = box;
            kernel.box_count = std::min(passes.boxes, where.box_count() - box);
            // If there is only one pass, the evaluation of values has left its lists.
            if (passes.boxes < where.box_count())
                parts_.passes.template build<Shape>(parts_.space, parts_.problem, where, box,
                                                    kernel.box_count);
            surface_.normals(parts_.space, kernel);
        }
    }

    EvaluatorParts<Real, Device>& parts_;
    SurfaceMaker<Real, Device> surface_;
};

}  // namespace tessera::kernels
