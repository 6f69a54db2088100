// What a fit does, from what was asked for and from the size of the problem.
#pragma once

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// `stars`: how many; `tolerance`: relative error of the likelihood's values. With the start "file"
/// the model's own point is in the first generation; throws Error where it lies beyond a bound.
MaximisePlan resolved_plan(const io::FitSettings& settings, const StreamSpace& space,
                           const StreamModel& model, std::size_t stars, double tolerance);

/// The settings with the plan's numbers in the place of defaults.
io::FitSettings with_defaults(io::FitSettings settings, const MaximisePlan& plan,
                              const StreamSpace& space);

}  // namespace tessera::likelihood
