// Combines integrals and star densities into an evaluation (docs/method/likelihood.md).
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/observed_stars.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// Streams with a sigma of at most this (kpc) have no integral. The MilkyWay@Home application sets
/// it to 0, and the result is not finite.
inline constexpr double smallest_sigma = 1e-4;

/// Weight W_k of each component: first the background (1 in the 2018 model), then exp(epsilon) of
/// each stream.
std::vector<double> component_weights(const StreamModel& model);

/// Below this share of the integral without cuts, the integral after the cuts is rounding error.
inline constexpr double smallest_share = 1e-10;

/// Whether a component has no integral: it is not positive, or the cuts leave rounding error only.
/// `uncut` is the integral without cuts, or 0 if there are none. False for a NaN.
inline bool is_empty(double integral, double uncut) {
    return std::isfinite(integral) && integral <= smallest_share * uncut;
}

/// What the exact integration found for a wedge and its stars.
struct WedgeSums {
    /// One number per component, background first, for each area: the wedge, then its cuts.
    std::vector<std::vector<double>> integrals;
    std::vector<double> densities;  ///< [star][component] p_k = F(r) S[rho_k]
    ObservedFactors observed = {};  ///< empty without observables
};

/// Subtracts the cuts, and combines integrals and densities. With `allow_empty_streams`, a stream
/// that is_empty() gets weight 0 and integral 0.
Evaluation combine(const StreamModel& model, const WedgeSums& sums, Wanted wanted,
                   bool allow_empty_streams = false);

}  // namespace tessera::likelihood
