// The result of a fit with the likelihood of its best model, as the file holds them.
#pragma once

#include <vector>

#include "likelihood/fit/fit_problem.hpp"
#include "likelihood/fit/fit_result.hpp"
#include "likelihood/result/result.hpp"

namespace tessera::likelihood {

struct FinishedFit {
    FitResult fit;
    LikelihoodResult best;           ///< of the best model
    std::vector<WedgeInput> wedges;  ///< the best models and the stars
};

/// `evaluations` are those of the best models of the wedges. Throws Error if one of them is not
/// finite.
FinishedFit finish_fit(const LikelihoodInput& input, const FitProblem& problem,
                       const FitCourse& course, std::vector<Evaluation> evaluations);

/// Writes /fit and /likelihood. `file` is an h5::File or a ResultFile.
template <class File>
void write_finished_fit(const File& file, const FinishedFit& finished) {
    write_fit_result(file.root(), finished.fit);
    write_likelihood_result(file.root(), finished.best, finished.wedges);
}

}  // namespace tessera::likelihood
