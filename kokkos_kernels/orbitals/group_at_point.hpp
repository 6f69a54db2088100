// What the groups of a basis are at a point that belongs to no grid.
#pragma once

#include "kokkos_kernels/orbitals/axis_tables.hpp"

namespace tessera::kernels {

/// Calls take(degree, d, exponential, falling) unless the point (bohr) is so far from the group
/// that its functions vanish there. `degree` is a constant, d the way from the centre to the point,
/// exponential = exp(-a d^2), and falling = 2 a.
template <class Take>
KOKKOS_FUNCTION void group_at_point(const DeviceGroup& group, const double (&point)[3],
                                    const Take& take) {
    double d[3];
    for (int a = 0; a < 3; ++a) d[a] = point[a] - group.center[a];
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    constexpr double unseen = 100;
    if (group.rate * square > unseen) return;
    const double exponential = exp2_minus(group.rate * square);
    const double falling = group.rate * 1.3862943611198906;  // 2 ln 2
    with_degree(group.degree, [&](auto degree) { take(degree, d, exponential, falling); });
}

}  // namespace tessera::kernels
