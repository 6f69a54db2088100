// Gradients for a mode that has none of its own.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// A number that may change, and over which range it matters.
struct Differenced {
    std::size_t place = 0;  ///< in parameter_names()
    double width = 1;       ///< in the parameter's unit
};

/// Values by `evaluator`; gradients by central differences of them in the parameters `free`, 0 in
/// all others: 1 + 2 |free| evaluations each. `noise`: relative, of the values; steps of its cube
/// root in units of the widths balance it with the differences' own error, which goes with their
/// square.
std::unique_ptr<WedgeEvaluator>
make_differenced_evaluator(std::unique_ptr<WedgeEvaluator> evaluator, std::vector<Differenced> free,
                           double noise);

}  // namespace tessera::likelihood
