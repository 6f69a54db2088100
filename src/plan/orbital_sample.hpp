// Tries orbitals on the device of this machine.
#pragma once

#include <span>
#include <vector>

#include "orbitals/tiles/workload.hpp"

namespace tessera::plan {

/// Seconds on this device.
struct OrbitalSample {
    double load = 0;               ///< folding and upload of a frame
    double cold = 0;               ///< extra time of the first kernel launches
    double orbital_plane = 0;      ///< one orbital of a batch on a plane of constant z
    double density_plane = 0;      ///< electron density on a plane
    double spin_plane = 0;         ///< spin density on a plane
    double fields_plane = 0;       ///< all derived fields on a plane
    double combination_plane = 0;  ///< one combination on a plane, the mean of all
    double overlap_plane = 0;      ///< overlaps of all pairs of orbitals on a plane
    double surface = 0;            ///< isosurface of one orbital on the whole grid
    double potential_point = 0;    ///< electrostatic potential at a point
    double potential_load = 0;     ///< what it needs first, for a frame
};

/// Orbitals of a frame that can be timed: those of the run. If the run computes densities only,
/// they are the first orbitals with a weight.
std::vector<orbitals::TrackedOrbital> items_to_try(const orbitals::OrbitalInput& input,
                                                   const orbitals::OrbitalFrame& frame);

/// Up to 4,096 of the tiles into which the bands are cut. A band is a batch of orbitals, for
/// example; all bands have the same number of planes in a tile. Any number of tiles from the
/// beginning of the list is spread evenly over bands and planes.
std::vector<orbitals::OrbitalWork> spread_tiles(std::span<const orbitals::OrbitalWork> bands,
                                                std::int64_t all_planes);

/// Times the first frame on tiles that are spread over orbitals and grid, for a few tenths of a
/// second.
OrbitalSample sample_orbitals(kernels::Backend backend, const orbitals::OrbitalInput& input,
                              const orbitals::PreparedOrbitals& prepared);

}  // namespace tessera::plan
