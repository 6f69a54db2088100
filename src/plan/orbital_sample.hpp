// Orbitals tried on the device that is here.
#pragma once

#include <span>
#include <vector>

#include "orbitals/tiles/workload.hpp"

namespace tessera::plan {

/// Seconds on this device.
struct OrbitalSample {
    double load = 0;           ///< folding and upload of a frame
    double cold = 0;           ///< what the first launches take longer
    double orbital_plane = 0;  ///< an orbital on a plane of constant z, among a tile's batch
    double density_plane = 0;  ///< all orbitals with a weight on a plane; spin likewise
    double spin_plane = 0;
    double overlap_plane = 0;  ///< of all pairs of orbitals on a plane
    double surface = 0;        ///< of an orbital on the whole grid
};

/// Orbitals of a frame that can be timed: the run's own, or where only densities are wanted the first that
/// have a weight.
std::vector<orbitals::TrackedOrbital> items_to_try(const orbitals::OrbitalInput& input,
                                                   const orbitals::OrbitalFrame& frame);

/// Up to 4,096 of the tiles that the bands (batches of orbitals, say, all of as many planes a tile) are cut into,
/// in an order whose beginning, however long, is spread evenly over bands and planes.
std::vector<orbitals::OrbitalWork> spread_tiles(std::span<const orbitals::OrbitalWork> bands,
                                                std::int64_t all_planes);

/// The first frame's, on tiles spread over orbitals and grid, until a few tenths of a second are spent.
OrbitalSample sample_orbitals(kernels::Backend backend, const orbitals::OrbitalInput& input,
                              const orbitals::PreparedOrbitals& prepared);

}  // namespace tessera::plan
