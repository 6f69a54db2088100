// Wedges of the size that the field evaluates, with made-up streams and stars.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"
#include "likelihood/exact/workload.hpp"
#include "likelihood/model/input.hpp"

namespace tessera::bench {

/// `count` stars spread over the sky of a wedge and its distances. They are fixed and not drawn
/// from a density.
inline std::vector<io::Star> made_up_stars(int count) {
    std::vector<io::Star> stars;
    const double golden = 0.6180339887498949, root = 0.4142135623730951;
    for (int i = 0; i < count; ++i) {
        const double u = std::fmod(i * golden, 1.0), v = std::fmod(i * root, 1.0);
        stars.push_back({80 + 70 * u, -60 + 10 * v, 3 + 40 * std::fmod(u + v, 1.0)});
    }
    return stars;
}

/// south: 2018 model, two-sided turnoff, 4 streams, 700 x 800 x 320 cells, 120 nodes each, 38,000
/// stars. north: classic model, 2 streams, 700 x 1600 x 160 cells, 106,000 stars. small: south with
/// few cells.
inline likelihood::WedgeInput likelihood_case(const std::string& name) {
    likelihood::WedgeInput wedge;
    io::StreamModel& model = wedge.model;
    model.convolve = 120;
    if (name == "south" || name == "small") {
        model.wedge = 82;
        model.model = io::Model::model2018;
        model.turnoff = io::Turnoff::newby2011;
        model.background.epsilon = 0.9997;
        model.background.q = 0.32;
        model.streams = {{-2.5, 376, 27, 2.9, 2.4, 1.4},
                         {-0.3, 370, 40, 1.3, 0.5, 22},
                         {0.5, 391, 23, 0.9, 0.6, 4.7},
                         {-1.4, 393, 27, 2.1, 0.3, 0.86}};
        const bool small = name == "small";
        model.areas = {{{16, 22.5, small ? 70 : 700},
                        {350, 400, small ? 80 : 800},
                        {-1.25, 1.25, small ? 32 : 320}}};
        wedge.stars = made_up_stars(small ? 1000 : 38000);
    } else if (name == "north") {
        model.wedge = 20;
        model.background.q = 0.57;
        model.background.r0 = 12.3;
        model.streams = {{-3.3, 148, 22, 0.42, -0.47, 0.76}, {-1.4, 178, 24, 1.2, -1.6, 8.5}};
        model.areas = {{{16, 22.5, 700}, {133, 249, 1600}, {-1.25, 1.25, 160}}};
        wedge.stars = made_up_stars(106000);
    } else {
        throw Error("unknown case '" + name + "'", "--case takes south, north, small",
                    "choose one of them");
    }
    return wedge;
}

/// The wedge of two files, parameters and stars, if they are given. Otherwise one of the cases
/// above.
inline likelihood::WedgeInput likelihood_case(const std::string& name,
                                              const std::vector<std::string>& files) {
    if (files.empty()) return likelihood_case(name);
    if (files.size() != 2)
        throw Error("a wedge is two files", "parameters and stars", "give both, or --case");
    likelihood::LikelihoodInput input;
    input.parameters = {files[0]};
    input.stars = {files[1]};
    return likelihood::read_wedges(input).front();
}

}  // namespace tessera::bench
