// Chooses the course of a fit from its settings and from the size of the problem.
#pragma once

#include "io/streams/fit_settings.hpp"
#include "likelihood/fit/fit_course.hpp"
#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/stream_space.hpp"

namespace tessera::likelihood {

/// `stars` is their number, and `tolerance` the relative error of likelihood values. With the start
/// "file" the first generation contains the point of the models of the space. Throws Error if it
/// lies beyond a bound.
MaximisePlan resolved_plan(const io::FitSettings& settings, const StreamSpace& space,
                           std::size_t stars, double tolerance);

/// What to compute after the maximum. A name without a wedge is of every wedge that has it. Throws
/// Error for the name of a parameter that is not free.
ErrorPlan error_plan(const io::FitSettings& settings, const StreamSpace& space);

/// The settings, in which the numbers of the plan replace defaults.
io::FitSettings with_defaults(io::FitSettings settings, const MaximisePlan& plan,
                              const StreamSpace& space);

}  // namespace tessera::likelihood
