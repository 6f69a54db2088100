// The isosurfaces in the output file of an orbital run (docs/reference/hdf5.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/hdf5/h5.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::orbitals {

/// The index of a surface's frame, and its item of the selection or one of those for densities
/// (surface.hpp).
struct SurfacePlace {
    std::int32_t frame = 0, item = 0;
};

/// The place of the surface that a tile makes.
SurfacePlace place_of_surface(const OrbitalWork& tile);

/// LABEL of a surface in the file.
std::string label_of_surface(const PreparedOrbitals& prepared, std::int32_t item);

/// Writes /isosurfaces/FRAME/LABEL. `scalars` are [vertex field][vertex].
void write_surface(io::h5::Group root, const PreparedOrbitals& prepared, SurfacePlace place,
                   const kernels::SurfaceView& view, std::span<const double> scalars);

}  // namespace tessera::orbitals
