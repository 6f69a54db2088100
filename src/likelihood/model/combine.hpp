// Combines integrals and star densities into an evaluation (docs/method/likelihood.md).
#pragma once

#include <span>
#include <vector>

#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// Streams with a sigma of at most this (kpc) have no integral. The MilkyWay@Home application sets
/// it to 0, and the result is not finite.
inline constexpr double smallest_sigma = 1e-4;

/// Weight W_k of each component: first the background (1 in the 2018 model), then exp(epsilon) of
/// each stream.
std::vector<double> component_weights(const StreamModel& model);

/// `integrals` has one number per component, background first, for each area: the wedge, then its
/// cuts. The cuts are subtracted here. `densities` has one number per component for each star:
/// p_k = F(r) S[rho_k].
Evaluation combine(const StreamModel& model, const std::vector<std::vector<double>>& integrals,
                   std::span<const double> densities, Wanted wanted);

}  // namespace tessera::likelihood
