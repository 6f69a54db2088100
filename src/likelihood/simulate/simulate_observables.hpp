// Observables of simulated stars.
#pragma once

#include <vector>

#include "likelihood/model/model_values.hpp"
#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

/// Star::observed of a star at an observed distance r (kpc), with the errors of simulated stars. A
/// value is NaN if it is not measured, and 0 otherwise.
std::vector<double> simulated_errors(const StreamModel& model, double r, RandomStream& random);

/// Star::observed with values that follow the distributions of a component at `x`
/// (place_along()). The errors and what is measured are those of `errors`.
std::vector<double> simulated_values(const StreamModel& model, int component, double x,
                                     const std::vector<double>& errors, RandomStream& random);

}  // namespace tessera::likelihood
