// Fits of simulated stars, for the bootstrap of a fit.
#pragma once

#include "kokkos_kernels/device/device.hpp"
#include "likelihood/fit/bootstrap.hpp"
#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

/// Draws as many stars as the fit has, with StarDrawer and a seed that follows from the seed of the
/// fit and the number of the set. A quasi-Newton climb begins at the model that the stars come
/// from. `converged` means that no step promises a gain. A stream that has weight 0 in the model
/// gets no stars.
class StreamRefitter : public Refitter {
  public:
    /// `evaluator` is of the stars of the fit. All arguments must outlive the refitter.
    StreamRefitter(const LikelihoodInput& input, const FitProblem& problem,
                   WedgeEvaluator& evaluator, kernels::Backend backend)
        : input_(input), problem_(problem), evaluator_(evaluator), backend_(backend) {}

    std::vector<Refit> refits(std::span<const Point> questions) override;

  private:
    Refit refit(const Point& truth, std::uint64_t set);
    std::vector<Star> draw(const Point& truth, std::uint64_t set);

    const LikelihoodInput& input_;
    const FitProblem& problem_;
    WedgeEvaluator& evaluator_;
    kernels::Backend backend_;
};

/// The seed of a simulated set.
std::uint64_t seed_of_set(std::uint64_t fit_seed, std::uint64_t set);

}  // namespace tessera::likelihood
