// Fits of simulated stars, for the bootstrap of a fit.
#pragma once

#include "kokkos_kernels/device/device.hpp"
#include "likelihood/fit/bootstrap.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// Draws as many stars as each wedge of the fit has, with StarDrawer and a seed that follows from
/// the seed of the fit, the number of the set and the wedge. A quasi-Newton climb begins at the
/// model that the stars come from. `converged` means that no step promises a gain. A stream that
/// has weight 0 in the model gets no stars.
class StreamRefitter : public Refitter {
  public:
    /// `evaluators` are of the stars of the fit. All arguments must outlive the refitter.
    StreamRefitter(const LikelihoodInput& input, const FitProblem& problem,
                   const WedgeEvaluators& evaluators, kernels::Backend backend)
        : input_(input), problem_(problem), evaluators_(evaluators), backend_(backend) {}

    std::vector<Refit> refits(std::span<const Point> questions) override;

  private:
    Refit refit(const Point& truth, std::uint64_t set);
    std::vector<Star> draw(const Point& truth, std::uint64_t set, std::size_t wedge);

    const LikelihoodInput& input_;
    const FitProblem& problem_;
    const WedgeEvaluators& evaluators_;
    kernels::Backend backend_;
};

/// The seed of a simulated set of a wedge.
std::uint64_t seed_of_set(std::uint64_t fit_seed, std::uint64_t set, std::size_t wedge = 0);

}  // namespace tessera::likelihood
