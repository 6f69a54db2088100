// A wedge of a run: its model and its stars.
#pragma once

#include <string>
#include <vector>

#include "io/streams/star_file.hpp"
#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"
#include "likelihood/model/wedge_evaluator.hpp"

namespace tessera::likelihood {

struct WedgeInput {
    StreamModel model;
    std::vector<Star> stars;
    io::TextSource model_text = {};  ///< the parameter file
    std::string stars_sha256 = {};   ///< SHA-256 of the star file
};

}  // namespace tessera::likelihood
