// The state of one parameter set while it is refined to the tolerance.
#pragma once

#include <cstdint>
#include <limits>

#include "likelihood/compressed/evaluator.hpp"
#include "likelihood/compressed/values.hpp"

namespace tessera::likelihood {

struct CompressedEvaluator::Attempt {
    const StreamModel* model = nullptr;
    kernels::compressed::BackgroundValues background;
    std::vector<StreamValues> streams;
    std::vector<PanelRules> rules;  ///< [component] rules of the walks
    PanelRules star_rules;
    std::vector<BoxWalk> walks;       ///< [component][area]
    std::vector<std::uint8_t> stale;  ///< [component] whether the walks must be made (again)
    std::vector<double> given;  ///< [component] integrals that are not summed over boxes, or NaN
    std::vector<double> uncut;  ///< [component] the same integrals without the cuts
    std::vector<double> quadrature_errors;  ///< [component], and last that of the search likelihood
    int refinements = 0;
    Evaluation result;

    std::size_t components() const { return 1 + streams.size(); }
};

}  // namespace tessera::likelihood
