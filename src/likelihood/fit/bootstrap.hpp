// A parametric bootstrap: fits of stars that were simulated from the fitted model.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "likelihood/fit/maximise.hpp"

namespace tessera::likelihood {

/// The fit of one simulated set.
struct Refit {
    double value = rejected;        ///< mean log10 likelihood of the fitted model
    double model_value = rejected;  ///< that of the model from which the set was drawn
    bool converged = false;
    Point at;  ///< of the fitted model
};

/// Draws sets of stars and fits them. A set is a point of the cube, the model, followed by the
/// number of the set, counted from 0. The answer depends on this question alone.
class Refitter {
  public:
    virtual ~Refitter() = default;
    virtual std::vector<Refit> refits(std::span<const Point> questions) = 0;
};

/// The numbers of a refit in a row, for messages and journals: 3 + dimension of them.
void append_refit(const Refit& refit, std::vector<double>& numbers);
std::vector<Refit> refits_of(const std::vector<double>& numbers, std::size_t dimension);

/// Sets in a batch. A run that was killed goes on after its last whole batch.
inline constexpr int sets_in_a_batch = 16;

/// Fits `sets` simulated sets (Efron 1979; Efron & Tibshirani 1993, section 6.5). `before` is the
/// number of evaluations so far, for `watch`.
std::vector<Refit> bootstrap(Refitter& refitter, const Candidate& best, int sets,
                             std::int64_t before,
                             const std::function<void(const FitProgress&)>& watch = {});

/// Summaries of one parameter over the sets that have a fit.
struct BootstrapSummary {
    double standard_error = 0;  ///< standard deviation; NaN for fewer than two sets
    /// Percentile intervals of 68.27 and 95.45 % (Efron 1981), by linear interpolation between the
    /// ordered values (Hyndman & Fan 1996, type 7).
    std::array<double, 2> lower{}, upper{};
};

/// `values` are those of one parameter, in any order.
BootstrapSummary summary_of(std::vector<double> values);

}  // namespace tessera::likelihood
