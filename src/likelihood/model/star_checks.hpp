// Checks that the stars lie in the wedge.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// Number of stars outside the r, mu or nu of the wedge by more than the rounding of files (0.01
/// mag, 0.01 degrees). Stars within cuts are not outside.
std::int64_t stars_outside(const StreamModel& model, std::span<const Star> stars);

/// Returns one line if there are such stars.
std::vector<std::string> star_warnings(const StreamModel& model, std::span<const Star> stars,
                                       const std::string& star_file);

/// Throws Error if there are such stars. The densities are normalised over the wedge, so either the
/// stars or the wedge are wrong.
void require_stars_inside(const StreamModel& model, std::span<const Star> stars,
                          const std::string& star_file);

}  // namespace tessera::likelihood
