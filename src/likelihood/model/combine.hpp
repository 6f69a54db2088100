// From integrals and star densities to what an evaluation reports (docs/method/likelihood.md).
#pragma once

#include <span>
#include <vector>

#include "likelihood/model/evaluation.hpp"
#include "likelihood/model/model_values.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// Streams this thin (kpc) have no integral: the application sets it to 0, and the result is not finite.
inline constexpr double smallest_sigma = 1e-4;

/// Weight W_k of every component: background (1 in the 2018 model), then exp(epsilon) of each stream.
std::vector<double> component_weights(const StreamModel& model);

/// `integrals`: per area (the wedge, then its cuts) one number a component, background first; cuts are
/// subtracted here. `densities`: per star one number a component, p_k = F(r) S[rho_k], star after star.
Evaluation combine(const StreamModel& model, const std::vector<std::vector<double>>& integrals,
                   std::span<const double> densities, Wanted wanted);

}  // namespace tessera::likelihood
