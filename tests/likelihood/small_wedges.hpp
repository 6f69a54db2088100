// Small wedges with stars made up for them, and evaluations that only look like some.
#pragma once

#include <random>
#include <vector>

#include "io/streams/star_file.hpp"
#include "io/streams/stream_model.hpp"
#include "likelihood/model/evaluation.hpp"

namespace tessera::test {

/// A model of the classic kind with `streams` streams, and one cut where asked for.
inline io::StreamModel small_model(int wedge, std::size_t streams, bool cut = false) {
    io::StreamModel model;
    model.wedge = wedge;
    model.convolve = 20;
    model.background.q = 0.6;
    model.background.r0 = 12.5;
    for (std::size_t s = 0; s < streams; ++s) {
        const double i = static_cast<double>(s);
        model.streams.push_back({-1.5 + i, 160 + 20 * i, 22 + 3 * i, 1.2, -0.7 + i, 3 + 2 * i});
    }
    model.areas.push_back({{16, 22.5, 12}, {150, 200, 10}, {-1.25, 1.25, 4}});
    if (cut) model.areas.push_back({{16, 22.5, 12}, {170, 172, 4}, {-1.25, 0.5, 2}});
    return model;
}

inline std::vector<io::Star> small_stars(std::size_t count, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> l(200, 300), b(40, 70), r(3, 40);
    std::vector<io::Star> stars(count);
    for (io::Star& star : stars) star = {l(random), b(random), r(random)};
    return stars;
}

inline likelihood::Evaluation made_up_evaluation(std::size_t streams, std::size_t stars) {
    likelihood::Evaluation e;
    e.background_integral = 1.0 / 3;
    e.search_likelihood = -2.7970529685001286;
    e.background_likelihood = -3.1;
    for (std::size_t s = 0; s < streams; ++s) {
        e.stream_integrals.push_back(10.0 / 7 + static_cast<double>(s));
        e.stream_only_likelihoods.push_back(-160.0 / 3);
    }
    e.error_estimates.assign(streams + 2, 3e-13);
    e.uncut_integrals.assign(streams + 1, 20);
    e.uncut_integrals[0] = 0.5;
    e.exact_components = {0, static_cast<int>(streams)};
    for (std::size_t i = 0; i < stars; ++i)
        e.star_log10_density.push_back(-1.0 / (3 + static_cast<double>(i)));
    return e;
}

}  // namespace tessera::test
