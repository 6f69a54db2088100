// Profile likelihoods of the parameters of a fit, and the intervals that follow from them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/profile_walk.hpp"

namespace tessera::likelihood {

/// The profile of one parameter.
struct Profile {
    std::size_t parameter = 0;  ///< among the free parameters
    std::array<ProfileEnd, profile_levels.size()> lower, upper;
    std::vector<ProfilePoint> points;  ///< by coordinate, the maximum among them
};

struct Profiles {
    std::vector<Profile> of;          ///< in the order asked for
    std::optional<Candidate> better;  ///< the highest point above the maximum; then `of` is empty
    std::int64_t slope_evaluations = 0;
};

/// Finds the profiles of `parameters` around a maximum. The walks along all parameters, to both
/// sides, share their batches, so the result depends on the answers of the objective alone. All
/// walks stop if one of them meets a point that is higher than the maximum by more than 0.01.
/// A profile follows the maximum from the best point outwards. A maximum elsewhere is not seen.
Profiles profile_likelihood(Objective& objective, const Space& space, const MaximisePlan& plan,
                            const Maximum& maximum, const std::vector<std::size_t>& parameters,
                            const std::function<void(const FitProgress&)>& watch = {});

}  // namespace tessera::likelihood
