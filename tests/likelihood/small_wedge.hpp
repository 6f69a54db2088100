// A wedge small enough for plain sums.
#pragma once

#include "likelihood/model/model_values.hpp"

namespace tessera::test {

/// Stripe 82 with few steps and one stream across it.
inline likelihood::StreamModel small_wedge() {
    likelihood::StreamModel model;
    model.wedge = 82;
    model.convolve = 30;
    model.model = io::Model::model2018;
    model.background.epsilon = 0.99;
    model.background.q = 0.55;
    model.streams = {{-1.2, 30, 24, 2.1, 0.5, 3.0}};
    model.areas = {{{16, 22.5, 30}, {0, 60, 20}, {-1.25, 1.25, 2}}};
    return model;
}

}  // namespace tessera::test
