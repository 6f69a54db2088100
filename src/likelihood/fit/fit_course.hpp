// A fit from its search to its errors: the maximum, the check of the standard errors, the profiles
// and the bootstrap.
#pragma once

#include <functional>
#include <vector>

#include "likelihood/fit/bootstrap.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/profile_likelihood.hpp"
#include "likelihood/fit/quadratic_check.hpp"

namespace tessera::likelihood {

/// What is computed after the maximum.
struct ErrorPlan {
    std::vector<std::size_t> profiles;  ///< free parameters whose profiles are computed
    int sets = 0;                       ///< simulated sets of the bootstrap
};

struct FitCourse {
    Maximum maximum;
    std::vector<Drops> drops;  ///< of each free parameter
    std::vector<Profile> profiles;
    std::vector<Refit> refits;
    /// Maxima that were left because a profile met a higher point.
    int left_maxima = 0;
};

/// An objective whose data can be simulated and fitted again.
struct FitData {
    Objective& objective;
    Refitter& refitter;
    SteadyEvaluator* steady = nullptr;  ///< of an asynchronous search
    Objective* questions = nullptr;     ///< what the ranks are asked, for another objective
};

/// Maximises, and computes what `errors` asks for. If a profile meets a higher point, the fit
/// climbs from there and begins its profiles again, at most three times. After that there are no
/// profiles. The result depends only on the plans and on the answers.
FitCourse run_course(const FitData& data, const Space& space, const MaximisePlan& plan,
                     const ErrorPlan& errors,
                     const std::function<void(const FitProgress&)>& watch = {});

}  // namespace tessera::likelihood
