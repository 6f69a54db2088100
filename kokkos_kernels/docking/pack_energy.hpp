// The local energy of a pair of atoms in the repacking of side chains.
#pragma once

#include "kokkos_kernels/docking/pack_problem.hpp"
#include "kokkos_kernels/docking/refine_terms.hpp"

namespace tessera::kernels {

/// A softened Lennard-Jones pair, and charges with a dielectric that grows with the distance.
struct PackEnergy {
    float scale2, depth, highest, charge_scale, nearest2, cutoff, cutoff2;
    SmoothSwitch<float> outer;

    explicit PackEnergy(const PackParameters& p)
        : scale2(static_cast<float>(p.radius_scale * p.radius_scale)),
          depth(static_cast<float>(p.depth)),
          highest(static_cast<float>(p.highest)),
          charge_scale(static_cast<float>(p.charge_scale)),
          nearest2(static_cast<float>(p.nearest * p.nearest)),
          cutoff(static_cast<float>(p.cutoff)),
          cutoff2(static_cast<float>(p.cutoff * p.cutoff)),
          outer(p.full, p.cutoff) {}

    /// Nats. `radii`: sum of the radii, `charges`: product of the charges.
    KOKKOS_FORCEINLINE_FUNCTION float operator()(float r2, float radii, float charges) const {
        if (r2 >= cutoff2) return 0;
        const float s = scale2 * radii * radii / (r2 > 1 ? r2 : 1.0F);
        const float s3 = s * s * s;
        float vdw = depth * s3 * (s3 - 2);
        vdw = vdw < highest ? vdw : highest;
        return (vdw + charge_scale * charges / (r2 > nearest2 ? r2 : nearest2)) * outer(r2).value;
    }
};

}  // namespace tessera::kernels
