// Whether a curved way leads from one summit of a density to another without a dip.
#pragma once

#include "likelihood/fit/small_matrix.hpp"
#include "likelihood/sample/summit.hpp"

namespace tessera::likelihood {

/// An end of a way, over the unbounded coordinates.
struct RidgeEnd {
    const Summit& summit;
    double log_density;
};

/// Looks for a way along which the log density is nowhere more than `dip` below that of the lower
/// end. The points of the straight line climb at right angles to it, in the mean metric of both
/// ends. Takes at most 180 gradients. `false` does not mean that there is no such way.
bool ridge_connects(const RidgeEnd& from, const RidgeEnd& to, double dip,
                    const DensitiesOf& densities, const DensitiesOf& log_densities);

}  // namespace tessera::likelihood
