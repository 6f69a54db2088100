// Parameter files of two models, each as TOML and as text, and the comparison of what was read.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "io/streams/stream_model.hpp"
#include "io/streams/stream_parameters.hpp"

namespace tessera::test {

/// `text` with the first `old` replaced; a test's own mistake where there is none.
inline std::string replaced(std::string text, const std::string& old, const std::string& other) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return at == std::string::npos ? text : text.replace(at, old.size(), other);
}

inline void expect_same(const io::Cells& a, const io::Cells& b) {
    EXPECT_EQ(a.min, b.min);
    EXPECT_EQ(a.max, b.max);
    EXPECT_EQ(a.steps, b.steps);
}

inline void expect_same(const io::Background& a, const io::Background& b) {
    EXPECT_EQ(a.profile, b.profile);
    EXPECT_EQ(a.epsilon, b.epsilon);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.r0, b.r0);
    EXPECT_EQ(a.alpha, b.alpha);
    EXPECT_EQ(a.delta, b.delta);
    EXPECT_EQ(a.a, b.a);
    EXPECT_EQ(a.b, b.b);
    EXPECT_EQ(a.c, b.c);
    EXPECT_EQ(a.triaxial, b.triaxial);
    EXPECT_EQ(a.p, b.p);
    EXPECT_EQ(a.yaw, b.yaw);
    EXPECT_EQ(a.pitch, b.pitch);
    EXPECT_EQ(a.roll, b.roll);
    EXPECT_EQ(a.thin_disk, b.thin_disk);
    EXPECT_EQ(a.thin, b.thin);
    EXPECT_EQ(a.thin_length, b.thin_length);
    EXPECT_EQ(a.thin_height, b.thin_height);
    EXPECT_EQ(a.thick_disk, b.thick_disk);
    EXPECT_EQ(a.thick, b.thick);
    EXPECT_EQ(a.thick_length, b.thick_length);
    EXPECT_EQ(a.thick_height, b.thick_height);
}

inline void expect_same(const io::StreamModel& a, const io::StreamModel& b) {
    EXPECT_EQ(a.wedge, b.wedge);
    EXPECT_EQ(a.convolve, b.convolve);
    EXPECT_EQ(a.model, b.model);
    EXPECT_EQ(a.turnoff, b.turnoff);
    expect_same(a.background, b.background);
    ASSERT_EQ(a.streams.size(), b.streams.size());
    for (std::size_t s = 0; s < a.streams.size(); ++s) {
        EXPECT_EQ(a.streams[s].epsilon, b.streams[s].epsilon);
        EXPECT_EQ(a.streams[s].mu, b.streams[s].mu);
        EXPECT_EQ(a.streams[s].r, b.streams[s].r);
        EXPECT_EQ(a.streams[s].theta, b.streams[s].theta);
        EXPECT_EQ(a.streams[s].phi, b.streams[s].phi);
        EXPECT_EQ(a.streams[s].sigma, b.streams[s].sigma);
    }
    ASSERT_EQ(a.areas.size(), b.areas.size());
    for (std::size_t i = 0; i < a.areas.size(); ++i) {
        expect_same(a.areas[i].r, b.areas[i].r);
        expect_same(a.areas[i].mu, b.areas[i].mu);
        expect_same(a.areas[i].nu, b.areas[i].nu);
    }
}

inline const char* const classic_toml = R"(wedge = 86
convolve = 60
model = "classic"
turnoff = "gaussian"
background = { profile = "hernquist", epsilon = 0.25, q = 0.73, r0 = 14.5, alpha = 1.2, delta = 0.75 }

[[stream]]
epsilon = -1.75
mu = 150.5
r = 28.25
theta = -1.25
phi = 3.5
sigma = 8.5

[[stream]]
epsilon = 0.5
mu = -16.5
r = 20
theta = 0
phi = -0.5
sigma = 2.25

[[area]]
nu = { min = -1.25, max = 1.25, steps = 8 }
r = { min = 16.0, max = 22.5, steps = 20 }
mu = { min = 310.0, max = 420.0, steps = 20 }

[[area]]
r = { min = 16.0, max = 22.5, steps = 20 }
mu = { min = 382.0, max = 384.0, steps = 4 }
nu = { min = -1.25, max = 0.5, steps = 4 }
)";

inline const char* const classic_text = R"(parameters_version: 0.04
number_parameters: 4
background_weight: 0.25
background_parameters[4]: 1.2, 0.73, 14.5, 0.75
background_step[4]: 0.02, 0.000004, 0.00008, 0.02
background_min[4]: 0.0, 0.3, 1.0, 0.1
background_max[4]: 3.0, 1.0, 30.0, 3.0
optimize_parameter[4]: 0, 1, 1, 0
number_streams: 2, 5
stream_weight: -1.75
stream_weight_step: 0.000001
stream_weight_min: -20.0
stream_weight_max: 20.0
optimize_weight: 1
stream_parameters[5]: 150.5, 28.25, -1.25, 3.5, 8.5
stream_step[5]: 0.00003, 0.00004, 0.00006, 0.00004, 0.000004
stream_min[5]: -400.0, 2.3, -6.28, -6.28, 0.1
stream_max[5]: 400.0, 57.5, 6.28, 6.28, 25.0
optimize_parameter[5]: 1, 1, 1, 1, 1
stream_weight: 0.5
stream_weight_step: 0.000001
stream_weight_min: -20.0
stream_weight_max: 20.0
optimize_weight: 1
stream_parameters[5]: -16.5, 20, 0, -0.5, 2.25
stream_step[5]: 0.00003, 0.00004, 0.00006, 0.00004, 0.000004
stream_min[5]: -400.0, 2.3, -6.28, -6.28, 0.1
stream_max[5]: 400.0, 57.5, 6.28, 6.28, 25.0
optimize_parameter[5]: 1, 1, 1, 1, 1
convolve: 60
sgr_coordinates: 0
aux_bg_profile: 0
wedge: 86
r[min,max,steps]: 16.0, 22.5, 20
mu[min,max,steps]: 310.0, 420.0, 20
nu[min,max,steps]: -1.25, 1.25, 8
number_cuts: 1
r_cut[min,max,steps][1]: 16.0, 22.5, 20
mu_cut[min,max,steps][1]: 382.0, 384.0, 4
nu_cut[min,max,steps][1]: -1.25, 0.5, 4
)";

inline const char* const later_toml = R"(wedge = 82
model = "2018"
turnoff = "newby2011"
background = { profile = "hernquist", epsilon = 0.95, q = 0.5 }

[[area]]
r = { min = 16, max = 22.5, steps = 24 }
mu = { min = 350, max = 400, steps = 20 }
nu = { min = -1.25, max = 1.25, steps = 8 }
)";

inline const char* const later_text = R"(number_parameters: 4
background_weight: 0.95
background_weight_step: 0.000001
background_weight_min: 0.8
background_weight_max: 1.0
optimize_background_weight: 1
background_parameters[4]: 1.0, 0.5, 13.5, 1.0
background_step[4]: 0.02, 0.000004, 0.00008, 0.02
background_min[4]: 0.0, 0.3, 1.0, 0.1
background_max[4]: 3.0, 1.0, 30.0, 3.0
optimize_parameter[4]: 0, 1, 0, 0
number_streams: 0, 5
convolve: 120
sgr_coordinates: 0
wedge: 82
r[min,max,steps]: 16.0, 22.5, 24
mu[min,max,steps]: 350.0, 400.0, 20
nu[min,max,steps]: -1.25, 1.25, 8
number_cuts: 0
)";

inline io::StreamModel parse(const std::string& text, const io::ModelChoices& choices = {}) {
    return io::parse_stream_parameters({"wedge.toml", text, "parameter file"}, choices);
}

}  // namespace tessera::test
