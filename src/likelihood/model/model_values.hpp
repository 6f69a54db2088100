// The numbers of a stream model as one flat list, as a fit uses them.
#pragma once

#include <string>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::likelihood {

using io::Star;
using io::StreamModel;

/// The numbers that a fit may change, flattened in the order of parameter_names():
/// background.epsilon, .q, .r0, .alpha, .delta, .a, .b, .c, of a triaxial halo also .p, .yaw,
/// .pitch, .roll, of a model with observables background.population1.NAME.mean, .slope, .curvature,
/// .dispersion of each observable, background.population2.epsilon, .NAME.mean ..., then per stream
/// (from 1) stream1.epsilon, .mu, .r, .theta, .phi, .sigma (of a stream with a track .epsilon,
/// .first_across, .first_away, .last_across, .last_away, .sigma), and at last stream1.NAME.mean ...
inline constexpr int stream_parameters = 6, spread_parameters = 4;
std::size_t background_numbers(const StreamModel& model);  ///< with those of its populations
std::size_t halo_numbers(const StreamModel& model);        ///< without them
std::vector<std::string> parameter_names(const StreamModel& model);
std::vector<double> parameter_values(const StreamModel& model);
/// Returns `model` with other numbers. The number of streams and everything that a fit cannot
/// change stay.
StreamModel with_values(StreamModel model, const std::vector<double>& values);

}  // namespace tessera::likelihood
