// What the attribute /run/input of a result says about its models and how they were evaluated.
#pragma once

#include <string>
#include <vector>

#include "io/streams/stream_model.hpp"

namespace tessera::likelihood {

/// The input of a likelihood run or of a fit, as recorded.
struct RecordedInput {
    std::vector<io::StreamModel> models;  ///< of the wedges, with the numbers of the files
    std::vector<std::string> stars;       ///< their star files
    std::string integration, quadrature, precision;  ///< values of the options
    double tolerance = 0;
    bool allow_stars_outside = false, allow_empty_streams = false;
};

/// Reads `text`, the JSON that to_json() of input.hpp makes. Throws Error that names `file` if the
/// text is of another form, or if a model is not valid.
RecordedInput recorded_input(const std::string& text, const std::string& file);

}  // namespace tessera::likelihood
