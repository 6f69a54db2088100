// What the likelihood of one parameter set comes to.
#pragma once

#include <vector>

namespace tessera::likelihood {

struct Evaluation {
    double background_integral = 0;
    std::vector<double> stream_integrals;
    double search_likelihood = 0;  ///< mean over stars of log10 of the density
    double background_likelihood = 0;
    std::vector<double> stream_only_likelihoods;
    /// Relative error estimates: of the background integral, each stream's integral, and last the
    /// search likelihood; empty where nothing was approximated.
    std::vector<double> error_estimates;
    /// Integral before its cuts are taken off, background first, where there are cuts.
    std::vector<double> uncut_integrals;
    /// Components (0 background, 1 first stream ...) that were integrated point by point because the
    /// tolerance could not be met otherwise.
    std::vector<int> exact_components;
    std::vector<double> star_log10_density;  ///< one a star, only where asked for
    /// d search_likelihood / d value in the order of parameter_names(), only where asked for.
    std::vector<double> gradient;
};

}  // namespace tessera::likelihood
