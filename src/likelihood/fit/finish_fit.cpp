#include "likelihood/fit/finish_fit.hpp"

#include <utility>

namespace tessera::likelihood {

FinishedFit finish_fit(const LikelihoodInput& input, const FitProblem& problem,
                       const Maximum& maximum, std::vector<Evaluation> evaluations) {
    FinishedFit finished;
    finished.fit = make_fit_result(maximum, *problem.space, problem.settings);
    finished.wedges = {{problem.space->model(maximum.best.at), problem.wedge().stars}};
    finished.best = make_likelihood_result(input, finished.wedges, std::move(evaluations));
    return finished;
}

}  // namespace tessera::likelihood
