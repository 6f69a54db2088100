// The order in which the threads of a GPU take the stars.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"
#include "kokkos_kernels/likelihood/compressed/problem.hpp"

namespace tessera::likelihood {

/// Returns the stars [place] sorted by distance within ranges of mu, which `frame` gives. Stars
/// that are close together need the same panels, so that the threads of a warp take equally long.
/// Those on which the error is estimated come last, because they take longer.
std::vector<int> neighbours_together(const kernels::compressed::StarTables& stars,
                                     const std::array<Vec3, 3>& frame);

}  // namespace tessera::likelihood
