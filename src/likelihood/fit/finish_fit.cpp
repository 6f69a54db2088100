#include "likelihood/fit/finish_fit.hpp"

#include <utility>

namespace tessera::likelihood {

FinishedFit finish_fit(const LikelihoodInput& input, const FitProblem& problem,
                       const FitCourse& course, std::vector<Evaluation> evaluations) {
    FinishedFit finished;
    finished.fit =
        make_fit_result(course, *problem.space, problem.settings, problem.plan.log_likelihood_unit);
    finished.wedges = {{problem.space->model(course.maximum.best.at), problem.wedge().stars}};
    finished.best = make_likelihood_result(input, finished.wedges, std::move(evaluations));
    return finished;
}

}  // namespace tessera::likelihood
