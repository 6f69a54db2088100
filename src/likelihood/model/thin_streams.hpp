// Streams that are too thin for the points at which the likelihood looks at them.
#pragma once

#include <string>
#include <vector>

#include "likelihood/model/model_values.hpp"

namespace tessera::likelihood {

/// The points along a line of sight, along mu or along nu, where a stream is.
struct PointSpacing {
    std::string points;      ///< "convolve", "steps of mu" or "steps of nu"
    double kpc = 0;          ///< between neighbouring points
    double stream = 0;       ///< standard deviation of the stream in this direction, kpc
    int needed = 0;          ///< number of points with which it is resolved
    bool is_coarse() const;  ///< errors may exceed about 1 %
};

/// At (mu, nu = 0) and the distance of a stream. docs/method/likelihood.md says what they mean.
std::vector<PointSpacing> point_spacings(const StreamModel& model, std::size_t stream);

/// A warning for each stream that falls between the points. `wedge` is the parameter file.
std::vector<std::string> thin_stream_warnings(const StreamModel& model, const std::string& wedge);

}  // namespace tessera::likelihood
