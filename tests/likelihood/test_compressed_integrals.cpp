#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "likelihood/compressed/evaluator.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "point_sums.hpp"
#include "random_models.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

Evaluation compressed(const StreamModel& model, std::span<const Star> stars = {},
                      double tolerance = 1e-11) {
    const EvaluatorOptions options{Quadrature::milkyway, tolerance};
    return make_compressed_evaluator(model, stars, options, test_device().backend)
        ->evaluate({&model, 1}, {})
        .at(0);
}

double relative(double value, test::Real exact) {
    return static_cast<double>(std::abs((value - exact) / exact));
}

/// Every integral within the tolerance (and rounding), and within its own estimate.
void expect_as_brute_force(const StreamModel& model, double rounding = 1e-12) {
    const Evaluation result = compressed(model);
    const std::vector<test::Real> exact = test::PointSums(model).integrals();
    for (std::size_t k = 0; k < exact.size(); ++k) {
        const double value = k == 0 ? result.background_integral : result.stream_integrals[k - 1];
        const double error = relative(value, exact[k]);
        EXPECT_LE(error, 1e-11 + rounding) << "component " << k;
        EXPECT_LE(error, result.error_estimates.at(k)) << "component " << k;
    }
}

StreamModel small_wedge() {
    StreamModel model;
    model.wedge = 82;
    model.convolve = 60;
    model.background.q = 0.6;
    model.areas = {{{16, 22.5, 40}, {350, 400, 60}, {-1.25, 1.25, 24}}};
    return model;
}

TEST(CompressedIntegrals, AgreeWithBruteForceWithinTheirEstimatesOnRandomModels) {
    test::RandomModels random(7);
    for (int i = 0; i < 8; ++i) {
        SCOPED_TRACE(i);
        expect_as_brute_force(random.model(2), 1e-11);
    }
}

TEST(CompressedIntegrals, ALooseToleranceDoesNotSumAllPoints) {
    StreamModel model;
    model.wedge = 14;
    model.convolve = 60;
    model.model = io::Model::model2018;
    model.turnoff = io::Turnoff::newby2011;
    model.background.epsilon = 0.995;
    model.background.q = 0.6;
    model.areas = {{{16, 22.5, 350}, {150, 215, 400}, {-1.25, 1.25, 160}}};
    const double best = compressed(model).background_integral;
    std::size_t boxes = 1000;  // of the tolerance before
    for (const double tolerance : {1e-11, 1e-8, 1e-6, 1e-4}) {
        CompressedEvaluator evaluator(model, {}, {Quadrature::milkyway, tolerance},
                                      test_device().backend);
        const Evaluation result = evaluator.evaluate({&model, 1}, {}).at(0);
        EXPECT_TRUE(result.exact_components.empty()) << tolerance;
        EXPECT_NEAR(result.background_integral / best, 1, std::min(tolerance, 1e-8));
        const std::size_t now = evaluator.cost().boxes.at(0);
        EXPECT_LE(now, boxes) << tolerance;
        boxes = now;
    }
}

TEST(CompressedIntegrals, HoldForStreamsNarrowAndWide) {
    StreamModel model = small_wedge();
    for (const double sigma : {0.001, 0.01, 0.05, 0.2, 1.0, 5.0, 20.0, 50.0})
        model.streams.push_back({0, 375, 25, 0.9, 0.6, sigma});
    // Rounding of positions: 1e-14 kpc against a millionth of sigma^2.
    expect_as_brute_force(model, 1e-10);
}

TEST(CompressedIntegrals, HoldForAnAxisAlongALineOfSight) {
    StreamModel model = small_wedge();
    const Vec3 e = direction(82, 375, 0).unit;
    model.streams.push_back({0, 375, 25, std::acos(e.z), std::atan2(e.y, e.x), 0.8});
    model.streams.push_back({0, 375, 25, std::acos(e.z) + 1e-4, std::atan2(e.y, e.x), 0.3});
    expect_as_brute_force(model);
}

TEST(CompressedIntegrals, HoldForStreamsAtTheSunAndOutsideTheWedge) {
    StreamModel model = small_wedge();
    model.streams.push_back({0, 360, 0.3, 1.1, 0.2, 0.5});
    model.streams.push_back({0, 500, 30, 0.1, 0.2, 3.0});
    model.streams.push_back({0, 190, 20, 1.5, 1.5, 2.5});
    expect_as_brute_force(model);
}

TEST(CompressedIntegrals, HoldWhereTheWedgeMeetsTheGalacticPlaneAndCentre) {
    StreamModel model = small_wedge();
    model.model = io::Model::model2018;
    model.background.epsilon = 0.5;
    // Stripe 82 crosses b = 0 at either end; stripe 40 comes near the Galactic centre.
    model.areas = {{{16, 22.5, 20}, {280, 320, 40}, {-1.25, 1.25, 24}}};
    expect_as_brute_force(model);
    model.wedge = 40;
    model.areas = {{{16, 22.5, 20}, {220, 280, 40}, {-1.25, 1.25, 24}}};
    expect_as_brute_force(model);
}

TEST(CompressedIntegrals, HoldForTheJumpOfTheBrokenPowerLaw) {
    StreamModel model = small_wedge();
    model.background.profile = io::Profile::broken_power_law;
    model.background.alpha = 2.4;
    model.background.delta = 3.8;
    expect_as_brute_force(model);
}

TEST(CompressedIntegrals, TakeCutsOff) {
    StreamModel model = small_wedge();
    model.background.a = 1e-6;
    model.background.c = 5e-4;
    model.streams.push_back({0, 375, 25, 0.9, 0.6, 1.4});
    model.areas.push_back({{16, 22, 10}, {380, 390, 20}, {-1.25, 0.5, 8}});
    expect_as_brute_force(model);
    const Evaluation cut = compressed(model);
    model.areas.pop_back();
    EXPECT_NEAR(cut.uncut_integrals.at(1), compressed(model).stream_integrals.at(0),
                1e-11 * cut.uncut_integrals.at(1));
}

TEST(CompressedIntegrals, FallBackToPointsWhereTheToleranceIsOutOfReach) {
    StreamModel model = small_wedge();
    model.streams.push_back({0, 375, 25, 0.9, 0.6, 5.0});
    const Evaluation result = compressed(model, {}, 1e-19);
    EXPECT_EQ(result.exact_components, (std::vector<int>{0, 1}));
    const std::vector<test::Real> exact = test::PointSums(model).integrals();
    EXPECT_LE(relative(result.background_integral, exact[0]), 1e-13);
    EXPECT_LE(relative(result.stream_integrals.at(0), exact[1]), 1e-13);
    EXPECT_TRUE(compressed(model).exact_components.empty());
}

}  // namespace
}  // namespace tessera::likelihood
