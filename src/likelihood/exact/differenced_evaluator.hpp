// Gradients by differences, for an evaluator that computes values only.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// A parameter that may change, and the width of its range.
struct Differenced {
    std::size_t place = 0;  ///< in parameter_names()
    double width = 1;       ///< in the parameter's unit
};

/// Takes values from `evaluator`, and gradients from central differences in the parameters `free`.
/// The gradient is 0 in all other parameters. Each gradient takes 1 + 2 |free| evaluations. `noise`
/// is the relative error of the values. The step is its cube root in units of the width, which
/// balances the noise with the error of the differences, which is quadratic in the step.
std::unique_ptr<WedgeEvaluator>
make_differenced_evaluator(std::unique_ptr<WedgeEvaluator> evaluator, std::vector<Differenced> free,
                           double noise);

}  // namespace tessera::likelihood
