// Files and frames that combinations name.
#pragma once

#include <cstdint>
#include <vector>

#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

/// Reads what the combinations name beside the frame that is computed. `read` has all frames of the
/// run. Throws Error if there is no such frame, or if a file has several frames, but not as many as
/// the run.
void read_sources(const OrbitalInput& input, FramesRead& read);

/// Makes sure that every combination can be computed in every frame, and notes what a user should
/// know. Called after the selection and the tracking.
void check_combinations(const OrbitalInput& input, PreparedOrbitals& prepared);

/// The combinations (their indices) of which surfaces are made.
std::vector<std::int32_t> surfaces_of_combinations(const PreparedOrbitals& prepared);

}  // namespace tessera::orbitals
