// Computes and writes some grids on this machine as a run does, to find out how long writing takes.
#pragma once

#include <string>

#include "plan/orbital_sample.hpp"

namespace tessera::plan {

struct GridTrial {
    double byte_seconds = 0;   ///< seconds to write one byte, in addition to computing it
    double synced_rate = 1e9;  ///< bytes/s at which written data reaches the disk
};

/// Writes tiles of the first frame through the buffers and the writing thread of a run. They go
/// into an unnamed file in the folder of `output`, which vanishes when it is closed. The trial ends
/// after 0.3 s, 256 MiB or the whole grid. The same tiles without a writer tell how long the
/// computation takes. Returns assumed values if there is no output or its folder allows no unnamed
/// file. `sample` serves to choose short tiles.
GridTrial try_grids(kernels::Backend backend, const orbitals::OrbitalInput& input,
                    const orbitals::PreparedOrbitals& prepared, const OrbitalSample& sample,
                    const std::string& output);

/// Assumed seconds to write one byte of grids, with or without gzip, for plans without a trial.
double assumed_byte_seconds(const orbitals::OrbitalInput& input);

}  // namespace tessera::plan
