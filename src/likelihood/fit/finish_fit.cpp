#include "likelihood/fit/finish_fit.hpp"

#include <utility>

namespace tessera::likelihood {

FinishedFit finish_fit(const LikelihoodInput& input, const FitProblem& problem,
                       const FitCourse& course, std::vector<Evaluation> evaluations) {
    FinishedFit finished;
    finished.fit =
        make_fit_result(course, *problem.space, problem.settings, problem.plan.log_likelihood_unit);
    finished.fit.wedges = std::ssize(problem.wedges);
    finished.fit.number_of_stars = static_cast<std::int64_t>(problem.number_of_stars());
    for (std::size_t w = 0; w < problem.wedges.size(); ++w)
        finished.wedges.push_back(
            {problem.space->model(course.maximum.best.at, w), problem.wedges[w].stars});
    finished.best = make_likelihood_result(input, finished.wedges, std::move(evaluations));
    return finished;
}

}  // namespace tessera::likelihood
