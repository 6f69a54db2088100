// The likelihood of one parameter set, with its integrals and error estimates.
#pragma once

#include <vector>

namespace tessera::likelihood {

struct Evaluation {
    double background_integral = 0;
    std::vector<double> stream_integrals;
    double search_likelihood = 0;  ///< mean over all stars of log10 of the density
    double background_likelihood = 0;
    std::vector<double> stream_only_likelihoods;
    /// Relative error estimates of the background integral, of the integral of each stream, and of
    /// the search likelihood. Empty if nothing was approximated.
    std::vector<double> error_estimates;
    /// Integrals before the cuts are subtracted, background first. Empty if there are no cuts.
    std::vector<double> uncut_integrals;
    /// Components (0: background, 1: first stream ...) that were integrated point by point because
    /// they could not meet the tolerance otherwise.
    std::vector<int> exact_components;
    /// Streams (1: the first one ...) that have no integral after the cuts, so that their weight is
    /// 0. There are none unless EvaluatorOptions::allow_empty_streams is set.
    std::vector<int> empty_streams;
    std::vector<double> star_log10_density;  ///< one for each star, only on request
    /// [star][component] probabilities that a star belongs to a component, background first, only
    /// on request. Each row sums to 1.
    std::vector<double> memberships;
    /// d search_likelihood / d value in the order of parameter_names(), only on request.
    std::vector<double> gradient;
};

}  // namespace tessera::likelihood
