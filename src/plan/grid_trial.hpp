// Grids computed and written on this machine as a run does it: what the writing costs.
#pragma once

#include <string>

#include "plan/orbital_sample.hpp"

namespace tessera::plan {

struct GridTrial {
    double byte_seconds = 0;   ///< what a byte of the grids takes beside its computation
    double synced_rate = 1e9;  ///< bytes/s at which the disk has them in the end
};

/// Tiles of the first frame through the run's own buffers and writing thread, into a file without a name in
/// the folder of `output`, which goes with its descriptor: until 0.3 s or 256 MiB are spent, or the grid
/// ends. The same tiles without a writer tell what the computation takes. Assumed values where no output is
/// given or its folder takes no such file. By `sample` tiles are kept short.
GridTrial try_grids(kernels::Backend backend, const orbitals::OrbitalInput& input,
                    const orbitals::PreparedOrbitals& prepared, const OrbitalSample& sample,
                    const std::string& output);

/// Seconds a byte of grids takes to be written, where that was not tried: packed by gzip, or not.
double assumed_byte_seconds(const orbitals::OrbitalInput& input);

}  // namespace tessera::plan
