// The place of the partners on the grid, and the size of the grid.
#pragma once

#include "core/vec3.hpp"
#include "docking/model/molecule.hpp"

namespace tessera::docking {

/// The centres of the partners and the size of the periodic grid.
struct DockingFrame {
    Vec3 receptor_center;        ///< centre of the bounding box, at voxel 0
    Vec3 ligand_center;          ///< centre of a small enclosing sphere, and of all rotations
    double receptor_extent = 0;  ///< longest edge of the bounding box
    double ligand_radius = 0;    ///< radius of the enclosing sphere
    double spacing = 1;
    int n = 0;
};

/// The largest number of points along an edge.
inline constexpr int largest_grid = 1024;

/// Chooses the centres and the grid size. With `grid` 0 it takes the smallest good FFT size that
/// keeps periodic images apart: n * spacing >= receptor extent + ligand diameter + 2 * 6.5 A.
/// Throws Error if the grid is too small for the two partners, naming the size needed, or larger
/// than largest_grid.
DockingFrame make_frame(const Molecule& receptor, const Molecule& ligand, double spacing, int grid);

}  // namespace tessera::docking
