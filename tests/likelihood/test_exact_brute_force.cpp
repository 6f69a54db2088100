// The exact mode against plain loops in long double, on wedges that need no other data.
#include <gtest/gtest.h>

#include <cmath>

#include "brute_force.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

using io::Model;
using io::Profile;
using io::Turnoff;

std::vector<Star> few_stars() {
    return {{240.1, 48.2, 7.3}, {233.5, 53.9, 21.4}, {251.8, 41.0, 38.8}, {80.8, -56.7, 26.1}};
}

/// Two streams; one is narrow and passes through the wedge.
StreamModel small_model(Model which) {
    StreamModel model;
    model.wedge = which == Model::classic ? 11 : 82;
    model.model = which;
    model.convolve = 16;
    model.background.q = 0.57;
    model.background.r0 = 12.3;
    model.background.epsilon = which == Model::classic ? 0.4 : 0.93;
    const double mu = which == Model::classic ? 190 : 371;
    model.streams = {{-1.1, mu, 21.5, 1.9, -0.5, 6.2}, {-2.3, mu + 4, 17.5, 0.7, 1.1, 0.9}};
    model.areas = {{{16, 22.5, 9}, {mu - 12, mu + 15, 6}, {-1.25, 1.25, 3}}};
    return model;
}

void expect_close(double found, long double expected, double tolerance, const char* what) {
    EXPECT_NEAR(found, static_cast<double>(expected),
                tolerance * std::abs(static_cast<double>(expected)))
        << what;
}

void expect_agreement(const StreamModel& model, Quadrature quadrature = Quadrature::milkyway) {
    EvaluatorOptions options;
    options.quadrature = quadrature;
    const std::vector<Star> stars = few_stars();
    Wanted wanted;
    wanted.star_densities = true;
    const Evaluation found = make_exact_evaluator(model, stars, options, test_device().backend)
                                 ->evaluate(std::span(&model, 1), wanted)
                                 .front();
    const test::BruteForce brute(model, quadrature == Quadrature::milkyway);
    const auto integrals = brute.integrals();
    expect_close(found.background_integral, integrals[0], 1e-12, "background integral");
    for (std::size_t s = 0; s < model.streams.size(); ++s)
        expect_close(found.stream_integrals[s], integrals[1 + s], 1e-12, "stream integral");
    const auto weights = brute.weights();
    long double all_weights = 0, search = 0;
    for (const long double w : weights) all_weights += w;
    std::vector<long double> alone(weights.size());
    for (std::size_t i = 0; i < stars.size(); ++i) {
        const auto p = brute.densities(stars[i]);
        long double density = 0;
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const long double share = p[k] / integrals[k] * weights[k];
            density += share;
            alone[k] += share < 1e-15L ? -241 : std::log10(share / all_weights);
        }
        expect_close(found.star_log10_density[i], std::log10(density / all_weights), 1e-12, "star");
        search += std::log10(density / all_weights);
    }
    const auto count = static_cast<long double>(stars.size());
    expect_close(found.search_likelihood, search / count, 1e-12, "search likelihood");
    expect_close(found.background_likelihood, alone[0] / count, 1e-12, "background likelihood");
    for (std::size_t s = 0; s < model.streams.size(); ++s)
        expect_close(found.stream_only_likelihoods[s], alone[1 + s] / count, 1e-12,
                     "stream-only likelihood");
}

TEST(ExactBruteForce, Classic) { expect_agreement(small_model(Model::classic)); }

TEST(ExactBruteForce, Model2018WithItsDisk) { expect_agreement(small_model(Model::model2018)); }

TEST(ExactBruteForce, TwoSidedTurnoff) {
    StreamModel model = small_model(Model::model2018);
    model.turnoff = Turnoff::newby2011;
    expect_agreement(model);
}

TEST(ExactBruteForce, TrueGaussLegendreWeights) {
    expect_agreement(small_model(Model::classic), Quadrature::gauss);
}

TEST(ExactBruteForce, GeneralExponents) {
    for (const Model which : {Model::classic, Model::model2018}) {
        StreamModel model = small_model(which);
        model.background.alpha = 1.3;
        model.background.delta = 0.7;
        expect_agreement(model);
    }
}

TEST(ExactBruteForce, BrokenPowerLaw) {
    StreamModel model = small_model(Model::model2018);
    model.background.profile = Profile::broken_power_law;
    model.background.alpha = 2.4;
    model.background.delta = 3.8;
    expect_agreement(model);
}

TEST(ExactBruteForce, ProfilesThatAreNotTheApplications) {
    for (const Model which : {Model::classic, Model::model2018})
        for (const Profile profile : test::own_profiles()) {
            SCOPED_TRACE(static_cast<int>(profile));
            StreamModel model = small_model(which);
            test::set_own_profile(model, profile);
            expect_agreement(model);
        }
}

/// Small models of every profile, by change(background).
template <class Change>
void expect_agreement_of_all_profiles(Change&& change) {
    for (const Model which : {Model::classic, Model::model2018})
        for (const Profile profile : test::all_profiles()) {
            if (which == Model::classic && profile == Profile::broken_power_law) continue;
            SCOPED_TRACE(static_cast<int>(profile));
            StreamModel model = small_model(which);
            test::set_profile(model, profile);
            change(model.background);
            expect_agreement(model);
        }
}

TEST(ExactBruteForce, TriaxialHalos) { expect_agreement_of_all_profiles(test::set_triaxial); }

TEST(ExactBruteForce, DisksBesideAnyHalo) {
    expect_agreement_of_all_profiles([](io::Background& b) {
        if (b.profile == Profile::nfw) test::set_triaxial(b);
        if (b.profile == Profile::hernquist) b.c = 1e-5;
        test::set_disks(b, b.profile != Profile::einasto);
    });
}

TEST(ExactBruteForce, AuxiliaryQuadraticWithEachModelsMagnitude) {
    for (const Model which : {Model::classic, Model::model2018}) {
        StreamModel model = small_model(which);
        model.background.a = 2e-6;
        model.background.b = -3e-5;
        model.background.c = 4e-4;
        expect_agreement(model);
    }
}

TEST(ExactBruteForce, CutsAreTakenOffWithTheirOwnCells) {
    StreamModel model = small_model(Model::classic);
    const double mu = model.areas[0].mu.min;
    model.areas.push_back({{17, 21, 5}, {mu + 1, mu + 4, 3}, {-1, 0.5, 2}});
    model.areas.push_back({{16, 18, 2}, {mu + 10, mu + 11, 2}, {0, 0.5, 2}});
    expect_agreement(model);
    const Evaluation found = make_exact_evaluator(model, few_stars(), {}, test_device().backend)
                                 ->evaluate(std::span(&model, 1), {})
                                 .front();
    ASSERT_EQ(found.uncut_integrals.size(), 3u);
    EXPECT_GT(found.uncut_integrals[0], found.background_integral);
}

TEST(ExactBruteForce, DenseNodesWhereChunksShareAnExponential) {
    StreamModel model = small_model(Model::model2018);
    model.areas = {{{16, 22.5, 1000}, {365, 380, 2}, {-1.25, 1.25, 2}}};
    expect_agreement(model);
}

TEST(ExactBruteForce, AStreamFarOutsideTheWedgeKeepsItsTinyIntegral) {
    StreamModel model = small_model(Model::classic);
    model.streams[1] = {-2.3, 300, 40, 0.7, 1.1, 1.3};
    const test::BruteForce brute(model, true);
    const long double expected = brute.integrals()[2];
    ASSERT_LT(expected, 1e-20L);
    ASSERT_GT(expected, 1e-290L);
    const Evaluation found = make_exact_evaluator(model, few_stars(), {}, test_device().backend)
                                 ->evaluate(std::span(&model, 1), {})
                                 .front();
    expect_close(found.stream_integrals[1], expected, 1e-12, "stream integral");
}

TEST(ExactBruteForce, TheSignOfSigmaIsIrrelevant) {
    StreamModel model = small_model(Model::classic);
    model.streams[1].sigma = -model.streams[1].sigma;
    expect_agreement(model);
}

}  // namespace
}  // namespace tessera::likelihood
