// The local energy of repacked side chains in double precision, as docs/method/docking-repacking.md
// writes it.
#pragma once

#include <algorithm>
#include <cmath>

#include "kokkos_kernels/docking/pack_problem.hpp"

namespace tessera::testing {

/// Nats, of two atoms at a distance in Angstrom.
inline double plain_pack_energy(const kernels::PackParameters& p, const kernels::RefineAtom& a,
                                const kernels::RefineAtom& b, double r) {
    if (r >= p.cutoff) return 0;
    const double ratio = p.radius_scale * (a.radius + b.radius) / std::max(r, 1.0);
    const double vdw =
        std::min(p.highest, p.depth * (std::pow(ratio, 12) - 2 * std::pow(ratio, 6)));
    const double charged =
        p.charge_scale * a.charge * b.charge / std::pow(std::max(r, p.nearest), 2);
    const double t = (r * r - p.full * p.full) / (p.cutoff * p.cutoff - p.full * p.full);
    const double fading = t <= 0 ? 1 : 1 - t * t * (3 - 2 * t);
    return (vdw + charged) * fading;
}

}  // namespace tessera::testing
