// Convergence diagnostics of chains (Vehtari, Gelman, Simpson, Carpenter & Buerkner 2021).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tessera::likelihood {

/// The draws of one quantity, [chain][draw], as many for each chain.
using Chains = std::vector<std::vector<double>>;

/// Rank-normalised split R-hat: the larger one of bulk and folded draws. NaN with fewer than four
/// draws, or if a draw is not finite.
double r_hat(const Chains& chains);
/// Effective sample size of the bulk: of the rank-normalised draws of split chains. NaN likewise.
double bulk_ess(const Chains& chains);
/// The smaller effective sample size of the quantiles 5 % and 95 %. NaN likewise.
double tail_ess(const Chains& chains);

/// What is told about one quantity.
struct Summary {
    double mean = 0, sd = 0;
    double q5 = 0, median = 0, q95 = 0;  ///< quantiles
    double r_hat = 0, bulk_ess = 0, tail_ess = 0;
};
Summary summarise(const Chains& chains);

/// A quantile of sorted values, interpolated linearly (type 7 of Hyndman & Fan 1996).
double quantile(std::span<const double> sorted, double share);

}  // namespace tessera::likelihood
