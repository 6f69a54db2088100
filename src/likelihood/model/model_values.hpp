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
/// .pitch, .roll, then per stream (from 1) stream1.epsilon, .mu, .r, .theta, .phi, .sigma.
inline constexpr int stream_parameters = 6;
std::size_t background_numbers(const StreamModel& model);
std::vector<std::string> parameter_names(const StreamModel& model);
std::vector<double> parameter_values(const StreamModel& model);
/// Returns `model` with other numbers. The number of streams and everything that a fit cannot
/// change stay.
StreamModel with_values(StreamModel model, const std::vector<double>& values);

}  // namespace tessera::likelihood
