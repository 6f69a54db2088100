// The result of an orbital run, and its place in the output file (docs/reference/hdf5.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/h5.hpp"
#include "orbitals/tiles/workload.hpp"

namespace tessera::orbitals {

/// The datasets of grids that a run writes, and the dataset for each kind of tile.
struct GridOutput {
    std::vector<io::GridSpec> specs;
    GridTargets targets;
};
GridOutput grids_of(const OrbitalInput& input, const PreparedOrbitals& prepared);

/// The dataset of the mean density of all frames.
io::GridSpec mean_density_spec(const OrbitalInput& input,
                               const std::array<std::int64_t, 3>& points);

/// Writes everything except the grids and surfaces of frames: geometry, labels, energies, norms,
/// and the mean density. `partials` must be in tile order. `mean`: [z][y][x], empty without it.
void write_orbital_result(io::h5::Group root, const OrbitalInput& input,
                          const PreparedOrbitals& prepared,
                          const std::vector<TilePartial<OrbitalSum>>& partials,
                          const std::vector<double>& mean);

}  // namespace tessera::orbitals
