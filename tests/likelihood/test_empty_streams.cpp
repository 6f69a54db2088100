// A stream without an integral gets weight 0 on request: everything is as without the stream.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "likelihood/exact/differenced_evaluator.hpp"
#include "likelihood/fit/stream_objective.hpp"
#include "likelihood/model/combine.hpp"
#include "likelihood/model/evaluation_checks.hpp"
#include "likelihood/model/wedge_evaluator.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

/// Wedge 82 with two streams. A cut takes the first one, which crosses the stripe at right angles.
StreamModel cut_model() {
    StreamModel model;
    model.wedge = 82;
    model.convolve = 16;
    model.background.q = 0.55;
    model.background.r0 = 12;
    model.streams = {{-1, 175, 22, 1.097, 2.146, 0.8}, {-0.5, 160, 25, 1.2, -0.7, 4}};
    model.areas = {{{16, 22.5, 10}, {150, 200, 50}, {-1.25, 1.25, 4}},
                   {{16, 22.5, 10}, {155, 195, 40}, {-1.25, 1.25, 4}}};
    return model;
}

StreamModel without_first(StreamModel model) {
    model.streams.erase(model.streams.begin());
    return model;
}

std::vector<Star> stars_of_cut_model() {
    return {{240.1, 48.2, 7.3}, {233.5, 53.9, 21.4}, {251.8, 41.0, 38.8}, {80.8, -56.7, 26.1}};
}

Evaluation evaluate(const StreamModel& model, bool exact, bool allowed, bool gradient = false) {
    EvaluatorOptions options;
    options.allow_empty_streams = allowed;
    const auto make = exact ? make_exact_evaluator : make_compressed_evaluator;
    const std::vector<Star> stars = stars_of_cut_model();
    return make(model, stars, options, test_device().backend)
        ->evaluate({&model, 1}, {true, gradient, true})
        .at(0);
}

/// `found` has one stream more than `other`, the first one, which does not count.
void expect_left_out(const Evaluation& found, const Evaluation& other, double tolerance) {
    EXPECT_EQ(found.empty_streams, (std::vector<int>{1}));
    EXPECT_EQ(found.stream_integrals[0], 0);
    EXPECT_EQ(found.stream_only_likelihoods[0], -241);
    const auto expect_near = [&](double one, double wanted, const char* what) {
        EXPECT_NEAR(one, wanted, tolerance * std::abs(wanted)) << what;
    };
    expect_near(found.background_integral, other.background_integral, "background integral");
    expect_near(found.stream_integrals[1], other.stream_integrals[0], "stream integral");
    expect_near(found.search_likelihood, other.search_likelihood, "search likelihood");
    expect_near(found.background_likelihood, other.background_likelihood, "background likelihood");
    expect_near(found.stream_only_likelihoods[1], other.stream_only_likelihoods[0], "stream only");
    for (std::size_t star = 0; star < stars_of_cut_model().size(); ++star) {
        expect_near(found.star_log10_density[star], other.star_log10_density[star], "density");
        EXPECT_EQ(found.memberships[3 * star + 1], 0);
        expect_near(found.memberships[3 * star], other.memberships[2 * star], "background member");
        expect_near(found.memberships[3 * star + 2], other.memberships[2 * star + 1], "member");
    }
    EXPECT_NO_THROW(require_finite(found, "82.toml"));
    EXPECT_EQ(cut_warnings(found, "82.toml"), cut_warnings(other, "82.toml"));
    const auto warnings = empty_stream_warnings(found, "82.toml");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("stream 1 of '82.toml' has weight 0"), std::string::npos);
}

TEST(EmptyStreams, AreAsLeftOut) {
    for (const bool exact : {true, false}) {
        SCOPED_TRACE(exact ? "exact" : "compressed");
        const StreamModel model = cut_model();
        const Evaluation found = evaluate(model, exact, true);
        expect_left_out(found, evaluate(without_first(model), exact, true), 1e-12);
        ASSERT_EQ(found.uncut_integrals.size(), 3u);
        EXPECT_GT(found.uncut_integrals[1], 0.1);
        EXPECT_THROW(require_finite(evaluate(model, exact, false), "82.toml"), Error);
        EXPECT_TRUE(evaluate(model, exact, false).empty_streams.empty());
    }
}

TEST(EmptyStreams, MayHaveANegativeIntegral) {
    for (const bool exact : {true, false}) {
        StreamModel model = cut_model();
        model.areas[1].mu.steps = 38;  // its cells are not those of the wedge
        const double whole = evaluate(model, exact, false).stream_integrals[0];
        if (whole > 0) model.areas[1].mu.steps = 36;
        ASSERT_LT(evaluate(model, exact, false).stream_integrals[0], 0);
        expect_left_out(evaluate(model, exact, true), evaluate(without_first(model), exact, true),
                        1e-12);
    }
}

TEST(EmptyStreams, FarFromTheWedgeCountAsWell) {
    for (const bool exact : {true, false}) {
        StreamModel model = cut_model();
        model.areas.pop_back();
        model.streams[0] = {-1, 355, 60, 0.2, 0.3, 0.1};
        const Evaluation found = evaluate(model, exact, true);
        expect_left_out(found, evaluate(without_first(model), exact, true), 1e-12);
        EXPECT_NE(empty_stream_warnings(found, "")[0].find("no integral over the wedge"),
                  std::string::npos);
    }
}

TEST(EmptyStreams, WithAnIntegralKeepTheirWeight) {
    for (const bool exact : {true, false}) {
        StreamModel model = cut_model();
        model.areas[1].mu = {155, 174, 19};
        const Evaluation allowed = evaluate(model, exact, true);
        const Evaluation plain = evaluate(model, exact, false);
        EXPECT_TRUE(allowed.empty_streams.empty());
        EXPECT_EQ(allowed.search_likelihood, plain.search_likelihood);
        EXPECT_EQ(allowed.memberships, plain.memberships);
    }
}

TEST(EmptyStreams, HaveNoGradient) {
    const StreamModel model = cut_model();
    const Evaluation found = evaluate(model, false, true, true);
    const Evaluation other = evaluate(without_first(model), false, true, true);
    ASSERT_EQ(found.gradient.size(), 20u);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(found.gradient[i], other.gradient[i], 1e-11 * std::abs(other.gradient[i]));
    for (std::size_t i = 8; i < 14; ++i) EXPECT_EQ(found.gradient[i], 0);
    for (std::size_t i = 14; i < 20; ++i)
        EXPECT_NEAR(found.gradient[i], other.gradient[i - 6],
                    1e-11 * std::abs(other.gradient[i - 6]));
}

TEST(EmptyStreams, AreAcceptedByAFit) {
    const StreamModel model = cut_model();
    io::FitSettings settings;
    settings.free = {"stream2.mu"};
    const StreamSpace space(model, free_parameters(model, settings));
    const std::vector<Star> stars = stars_of_cut_model();
    for (const bool allowed : {true, false}) {
        EvaluatorOptions options;
        options.fall_back = false;
        options.allow_empty_streams = allowed;
        const auto evaluator =
            make_compressed_evaluator(model, stars, options, test_device().backend);
        StreamObjective objective(space, *evaluator);
        const std::vector<Point> points{{0.3}, {0.4}};
        EXPECT_EQ(objective.values(points)[0] > rejected, allowed);
        EXPECT_EQ(objective.slopes(points)[1].value > rejected, allowed);
    }
}

TEST(EmptyStreams, AreThoseThatTheChecksRefuse) {
    EXPECT_TRUE(is_empty(0, 0));
    EXPECT_TRUE(is_empty(-1e-3, 0));
    EXPECT_TRUE(is_empty(2e-10, 2.5));
    EXPECT_FALSE(is_empty(3e-10, 2.5));
    EXPECT_FALSE(is_empty(NAN, 1));
    EXPECT_FALSE(is_empty(INFINITY, 1));
    EXPECT_FALSE(is_empty(-INFINITY, 1));
    EXPECT_FALSE(is_empty(1, NAN));
}

}  // namespace
}  // namespace tessera::likelihood
