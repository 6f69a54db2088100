// The smooth energy of a pair of atoms. The refinement minimises it and reports its terms.
#pragma once

#include <Kokkos_Core.hpp>

#include "kokkos_kernels/docking/refine_problem.hpp"

/// Marks a loop over a range of atoms. On a host, its sums are reordered into vector lanes.
#if defined(__CUDACC__)
#define TESSERA_REFINE_LOOP(...)
#else
#define TESSERA_REFINE_PRAGMA(text) _Pragma(#text)
#define TESSERA_REFINE_LOOP(...) TESSERA_REFINE_PRAGMA(omp simd reduction(+ : __VA_ARGS__))
#endif

namespace tessera::kernels {

/// A value and its derivative with respect to the squared distance.
template <class Real>
struct Slope {
    Real value, by_r2;
};

/// 1 below r2 = full, 0 beyond r2 = end, and a cubic in r2 between them. Value and slope are
/// continuous.
template <class Real>
struct SmoothSwitch {
    Real full, scale;

    SmoothSwitch(double full_distance, double end_distance)
        : full(static_cast<Real>(full_distance * full_distance)),
          scale(static_cast<Real>(1 /
                                  (end_distance * end_distance - full_distance * full_distance))) {}

    KOKKOS_FORCEINLINE_FUNCTION Slope<Real> operator()(Real r2) const {
        Real t = (r2 - full) * scale;
        t = t > 0 ? t : Real(0);
        t = t < 1 ? t : Real(1);
        const Real left = 1 - t;
        return {left * left * (1 + 2 * t), -6 * t * left * scale};
    }
};

/// exp(-y) for y >= 0 without a call, so that loops vectorise. It is Taylor's series of exp(-y/16),
/// squared four times. The relative error is below 1e-7 for y < 4, and 1e-3 at 16. Beyond 16 the
/// result is constant.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real decay(Real y) {
    Real t = y * Real(0.0625);
    t = t < 1 ? t : Real(1);
    Real p = 1 - t * (1 - t * (Real(1) / 2 -
                               t * (Real(1) / 6 -
                                    t * (Real(1) / 24 -
                                         t * (Real(1) / 120 - t * (Real(1) / 720 - t / 5040))))));
    p *= p;
    p *= p;
    p *= p;
    return p * p;
}

/// The ligand's atom of a pair.
template <class Real>
struct PairPartner {
    Real radius, charge, buried;  ///< buried: 1 or 0
    const Real* energies;         ///< row of the pair potential
};

/// An atom of the receptor, as far as a pair's terms need it.
template <class Real>
struct ReceptorAtom {
    Real radius, charge, buried;
    int type;
};

/// The terms of a pair with their constants. r2 is never below 0.01.
template <class Real>
struct PairForms {
    SmoothSwitch<Real> contact, pair, outer, near;
    Real clash_scale2, born2, quarter_over_born2;
    Real clash, buried_clash, contact_weight, dispersion_weight, charge_weight, pair_weight;

    explicit PairForms(const RefineParameters& p)
        : contact(p.contact_full, p.contact_end),
          pair(p.pair_full, p.pair_end),
          outer(p.outer_full, p.outer_end),
          near(p.near_full, p.near_end),
          clash_scale2(static_cast<Real>(p.clash_scale * p.clash_scale)),
          born2(static_cast<Real>(p.born_radius * p.born_radius)),
          quarter_over_born2(static_cast<Real>(0.25 / (p.born_radius * p.born_radius))),
          clash(static_cast<Real>(p.weights.clash)),
          buried_clash(static_cast<Real>(p.weights.buried_clash)),
          contact_weight(static_cast<Real>(p.weights.contact)),
          dispersion_weight(static_cast<Real>(p.weights.dispersion)),
          charge_weight(static_cast<Real>(p.weights.electrostatics)),
          pair_weight(static_cast<Real>(p.weights.pair)) {}

    /// (1 - r2/s2)^2 below s = clash_scale times the sum of the radii.
    KOKKOS_FORCEINLINE_FUNCTION Slope<Real> overlap(Real r2, Real radii) const {
        const Real inverse = 1 / (clash_scale2 * radii * radii);
        Real depth = 1 - r2 * inverse;
        depth = depth > 0 ? depth : Real(0);
        return {depth * depth, -2 * depth * inverse};
    }

    /// The attractive part of a Lennard-Jones pair of depth 1. It is -1 inside the minimum.
    KOKKOS_FORCEINLINE_FUNCTION Slope<Real> dispersion(Real r2, Real radii) const {
        const Real inverse = 1 / r2;
        Real s = radii * radii * inverse;
        s = s < 1 ? s : Real(1);
        const Real s3 = s * s * s;
        return {-s3 * (2 - s3), 6 * s3 * (1 - s3) * inverse};
    }

    /// 1 / sqrt(r2 + D2 exp(-r2 / 4 D2)).
    KOKKOS_FORCEINLINE_FUNCTION Slope<Real> coulomb(Real r2) const {
        const Real screened = decay(r2 * quarter_over_born2);
        const Real f = 1 / Kokkos::sqrt(r2 + born2 * screened);
        return {f, Real(-0.5) * f * f * f * (1 - screened / 4)};
    }

    /// The minimised energy of a pair.
    KOKKOS_FORCEINLINE_FUNCTION Slope<Real> energy(Real r2, const ReceptorAtom<Real>& receptor,
                                                   const PairPartner<Real>& ligand) const {
        const Real radii = receptor.radius + ligand.radius;
        const Slope<Real> overlapping = overlap(r2, radii), touching = contact(r2),
                          typed = pair(r2), reach = outer(r2);
        const Slope<Real> attracted = dispersion(r2, radii), charged = coulomb(r2);
        const Real height = receptor.buried + ligand.buried > 0 ? buried_clash : clash;
        const Real contact_energy = pair_weight * ligand.energies[receptor.type];
        const Real charges = charge_weight * receptor.charge * ligand.charge;
        const Real far = dispersion_weight * attracted.value + charges * charged.value;
        return {height * overlapping.value + contact_weight * touching.value +
                    contact_energy * typed.value + far * reach.value,
                height * overlapping.by_r2 + contact_weight * touching.by_r2 +
                    contact_energy * typed.by_r2 + far * reach.by_r2 +
                    (dispersion_weight * attracted.by_r2 + charges * charged.by_r2) * reach.value};
    }

    /// Adds the pair's unweighted terms. Burial is not a sum over pairs.
    KOKKOS_FORCEINLINE_FUNCTION void add_terms(Real r2, const ReceptorAtom<Real>& receptor,
                                               const PairPartner<Real>& ligand, Real* terms) const {
        const Real radii = receptor.radius + ligand.radius, reach = outer(r2).value;
        const Real overlapping = overlap(r2, radii).value;
        terms[receptor.buried + ligand.buried > 0 ? buried_clash_term : clash_term] += overlapping;
        terms[contact_term] += contact(r2).value;
        terms[dispersion_term] += dispersion(r2, radii).value * reach;
        const Real coulombic = receptor.charge * ligand.charge * coulomb(r2).value * reach;
        const Real close = near(r2).value;
        terms[coulombic < 0 ? near_attraction_term : near_repulsion_term] += coulombic * close;
        terms[coulombic < 0 ? far_attraction_term : far_repulsion_term] += coulombic * (1 - close);
        terms[pair_term] += ligand.energies[receptor.type] * pair(r2).value;
    }
};

}  // namespace tessera::kernels
