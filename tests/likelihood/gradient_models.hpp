// A small model of every kind whose gradient takes a way of its own, and stars to judge it by.
#pragma once

#include <algorithm>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "likelihood/model/model_values.hpp"
#include "own_profiles.hpp"

namespace tessera::test {

struct GradientModel {
    std::string name;
    io::StreamModel model;
};

/// What a failed test prints of it.
inline void PrintTo(const GradientModel& model, std::ostream* out) { *out << model.name; }

/// Two streams through stripe 82, one of them narrow; a cut takes a part of both.
inline io::StreamModel gradient_model(io::Model kind) {
    io::StreamModel model;
    model.wedge = 82;
    model.convolve = 30;
    model.model = kind;
    model.background = {.epsilon = 0.8, .q = 0.6, .r0 = 13};
    model.streams = {{-2.5, 376, 27, 2.9, 2.4, 1.4}, {0.3, 390, 22, 0.86, 0.62, 4.7}};
    model.areas = {{{16, 22.5, 12}, {350, 400, 12}, {-1.25, 1.25, 6}},
                   {{16, 22, 8}, {360, 365, 4}, {-1.25, 0.5, 4}}};
    return model;
}

inline void set_exponents(io::StreamModel& model) {
    model.background.alpha = 1.3;
    model.background.delta = 0.8;
}

inline void set_quadratic(io::StreamModel& model) {
    model.background.a = 1e-6;
    model.background.b = -2e-5;
    model.background.c = 5e-4;
}

inline void set_power_law(io::StreamModel& model) {
    model.background.profile = io::Profile::broken_power_law;
    model.background.alpha = 2.4;
    model.background.delta = 3.8;
}

/// Three observables, two of them with correlated errors, and two populations.
inline void set_observables(io::StreamModel& model) {
    model.observables = {{"pm_l", "pml", "pml_error"},
                         {"pm_b", "pmb", "pmb_error", {"pml_pmb_corr"}},
                         {"v", "rv", "rv_error", {"", ""}}};
    model.background.populations = {
        {0, {{0.3, 0.01, 0, 3}, {-1.2, 0, 0.0002, 2.5}, {10, -0.5, 0, 120}}},
        {-0.7, {{-2, 0.02, 0, 6}, {-4, 0, 0, 5}, {-150, 0.8, 0.001, 60}}}};
    model.streams[0].observables = {
        {-1.4, 0.03, -0.0001, 0.4}, {-2, 0.01, 0, 0.3}, {-80, 1.1, 0.004, 12}};
    model.streams[1].observables = {{1.4, -0.01, 0, 0.7}, {0.5, 0, 0, 0.6}, {90, 0, 0, 20}};
}

/// The narrow stream becomes a bent one that is moved off its knots.
inline void set_track(io::StreamModel& model) {
    io::Stream& track = model.streams[0];
    track.knots = {{-8, 16, -25}, {-13.5, 12, -24.5}, {-17, 8.5, -23}, {-22, 3.5, -19.5}};
    track.first_across = 0.3;
    track.first_away = -0.2;
    track.last_across = -0.4;
    track.last_away = 0.25;
    model.convolve = 16;  // nearest points in long double take long
    model.areas = {{{16, 22.5, 6}, {350, 400, 6}, {-1.25, 1.25, 2}},
                   {{16, 22, 4}, {360, 365, 2}, {-1.25, 0.5, 2}}};
}

inline std::vector<GradientModel> gradient_models() {
    std::vector<GradientModel> all;
    for (const io::Model kind : {io::Model::classic, io::Model::model2018}) {
        const std::string name = kind == io::Model::classic ? "Classic" : "Later";
        const io::StreamModel plain = gradient_model(kind);
        all.push_back({name, plain});
        all.push_back({name + "Uncut", plain});
        all.back().model.areas.resize(1);
        all.push_back({name + "WithoutStreams", plain});
        all.back().model.streams.clear();
        all.push_back({name + "GeneralExponents", plain});
        set_exponents(all.back().model);
        all.push_back({name + "Quadratic", plain});
        set_quadratic(all.back().model);
        all.push_back({name + "GeneralExponentsQuadratic", plain});
        set_exponents(all.back().model);
        set_quadratic(all.back().model);
    }
    io::StreamModel power_law = gradient_model(io::Model::model2018);
    set_power_law(power_law);
    all.push_back({"PowerLaw", power_law});
    // The two-sided turnoff, over everything that it can meet.
    for (std::size_t i = 0, count = all.size(); i < count; ++i) {
        if (all[i].model.model == io::Model::classic) continue;
        all.push_back({all[i].name + "Newby2011", all[i].model});
        all.back().model.turnoff = io::Turnoff::newby2011;
    }
    for (const io::Profile profile : own_profiles()) {
        constexpr const char* names[] = {"Nfw", "Einasto", "ContinuousPowerLaw"};
        all.push_back({names[static_cast<int>(profile) - 2], gradient_model(io::Model::classic)});
        set_own_profile(all.back().model, profile);
    }
    all.push_back({"EinastoLater", gradient_model(io::Model::model2018)});
    set_own_profile(all.back().model, io::Profile::einasto);
    // A triaxial halo with every density, and with the disk.
    for (const char* name : {"LaterQuadratic", "PowerLaw", "Nfw", "Einasto"}) {
        const auto like = std::ranges::find(all, name, &GradientModel::name);
        all.push_back({std::string("Triaxial") + name, like->model});
        set_triaxial(all.back().model.background);
    }
    // Disks beside every density, with everything that changes the halo at the Sun.
    const std::size_t before = all.size();
    for (const char* name : {"Later", "ClassicGeneralExponentsQuadratic", "ContinuousPowerLaw",
                             "TriaxialNfw", "TriaxialEinasto", "TriaxialPowerLaw"}) {
        const auto like = std::ranges::find(all, name, &GradientModel::name);
        all.push_back({std::string("Disks") + name, like->model});
        io::StreamModel& model = all.back().model;
        const std::size_t number = all.size() - before;
        set_disks(model.background, number % 3 != 0, number % 3 != 1);
        model.streams.resize(1);
        model.areas = {{{15, 22.5, 10}, {350, 400, 6}, {-1.25, 1.25, 2}}};
    }
    all.push_back({"Track", gradient_model(io::Model::model2018)});
    set_track(all.back().model);
    all.back().model.turnoff = io::Turnoff::newby2011;
    return all;
}

/// Along the stripe and off it, near and far. Some values of their observables are missing.
inline std::vector<io::Star> gradient_stars() {
    std::vector<io::Star> stars;
    for (int i = 0; i < 12; ++i) {
        stars.push_back({90.0 + 7 * i, -60.0 + 2 * i, 8.0 + 2.5 * i});
        const double none = std::numeric_limits<double>::quiet_NaN();
        const double v = i % 3 == 0 ? none : 40.0 * i - 200;
        stars.back().observed = {i == 6 ? none : -2 + 0.4 * i,
                                 i == 6 ? none : 1.0 - 0.3 * i,
                                 v,
                                 0.1 + 0.05 * i,
                                 0.12 + 0.04 * i,
                                 2.0 + i,
                                 0.8 - 0.1 * i,
                                 0,
                                 0};
    }
    return stars;
}

}  // namespace tessera::test
