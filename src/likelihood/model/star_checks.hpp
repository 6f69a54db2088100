// Whether the stars are those of the wedge.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// How many stars lie outside the wedge's r, mu or nu by more than what files are rounded by (0.01 mag,
/// 0.01 degrees). Stars within cuts are not outside.
std::int64_t stars_outside(const StreamModel& model, std::span<const Star> stars);

/// One line where there are any.
std::vector<std::string> star_warnings(const StreamModel& model, std::span<const Star> stars,
                                       const std::string& star_file);

/// Throws Error where there are any: the densities are normalised over the wedge alone, so that these
/// stars are another wedge's, or the wedge is another.
void require_stars_inside(const StreamModel& model, std::span<const Star> stars,
                          const std::string& star_file);

}  // namespace tessera::likelihood
