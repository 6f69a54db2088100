// An evaluation that is none is an error that names the component; lost digits are a warning.
#include "likelihood/model/evaluation_checks.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <regex>

#include "core/error.hpp"
#include "small_wedges.hpp"

namespace tessera::likelihood {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_refused(const Evaluation& evaluation, const std::string& words) {
    try {
        require_finite(evaluation, "82.toml");
        ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::numerics);
        EXPECT_TRUE(std::regex_search(error.what(), std::regex(words))) << error.what();
        EXPECT_NE(std::string(error.what()).find("'82.toml'"), std::string::npos);
    }
}

Evaluation good() { return test::made_up_evaluation(2, 3); }

TEST(EvaluationChecks, FiniteOnesPass) { EXPECT_NO_THROW(require_finite(good(), "82.toml")); }

TEST(EvaluationChecks, EveryComponentThatIsNotFiniteIsNamed) {
    for (const double bad : {nan, infinity, -infinity}) {
        Evaluation e = good();
        e.background_integral = bad;
        expect_refused(e, "integral of the background");
        e = good();
        e.stream_integrals[1] = bad;
        expect_refused(e, "integral of stream 2");
        e = good();
        e.stream_only_likelihoods[0] = bad;
        expect_refused(e, "likelihood of stream 1");
        e = good();
        e.background_likelihood = bad;
        expect_refused(e, "likelihood of the background");
        e = good();
        e.search_likelihood = bad;
        expect_refused(e, "likelihood of all components");
    }
}

TEST(EvaluationChecks, AnIntegralEatenByItsCutIsRefusedWithBothNumbers) {
    Evaluation e = good();
    e.stream_integrals[0] = -1.5e-9;
    e.uncut_integrals[1] = 2.5;
    expect_refused(e, "stream 1 is -1.5.*e-09.*inside a cut.*2.5 before");
    e.stream_integrals[0] = 2.5e-11;  // 1e-11 of what was there: rounding
    expect_refused(e, "stream 1 is 2.5.*e-11.*inside a cut");
    e.stream_integrals[0] = 2.5e-9;
    EXPECT_NO_THROW(require_finite(e, "82.toml"));
    e.stream_integrals[0] = 0;
    e.uncut_integrals.clear();
    expect_refused(e, "stream 1 is 0.*vanishes");
}

TEST(EvaluationChecks, NarrowStreamsAreRefusedBeforeTheWork) {
    StreamModel model = test::small_model(82, 2);
    EXPECT_NO_THROW(require_streams(model, "82.toml"));
    model.streams[1].sigma = -5e-5;
    try {
        require_streams(model, "82.toml");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::numerics);
        EXPECT_NE(std::string(error.what()).find("stream 2"), std::string::npos) << error.what();
    }
}

TEST(EvaluationChecks, ThreeLostDigitsAreWarnedOfAndTwoAreNot) {
    Evaluation e = good();
    EXPECT_TRUE(cut_warnings(e, "84.toml").empty());
    e.stream_integrals[1] = e.uncut_integrals[2] / 900;
    EXPECT_TRUE(cut_warnings(e, "84.toml").empty());
    e.stream_integrals[1] = e.uncut_integrals[2] / 100000;
    const auto warnings = cut_warnings(e, "84.toml");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(std::regex_search(
        warnings[0],
        std::regex("stream 2 of '84.toml'.*0.0002.* with the cuts and 20 without.*5.0")))
        << warnings[0];
}

TEST(EvaluationChecks, CutsBeyondTheWedgeAreNamedAndTurnedOnesAreNot) {
    StreamModel model = test::small_model(82, 1, true);
    EXPECT_TRUE(area_warnings(model, "82.toml").empty());
    model.areas[1].mu.min -= 360;
    model.areas[1].mu.max -= 360;
    EXPECT_TRUE(area_warnings(model, "82.toml").empty());
    for (io::Cells io::Area::*const axis : {&io::Area::r, &io::Area::mu, &io::Area::nu}) {
        StreamModel other = model;
        (other.areas[1].*axis).max = (other.areas[0].*axis).max + 0.1;
        const auto warnings = area_warnings(other, "82.toml");
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_NE(warnings[0].find("cut 1 of '82.toml'"), std::string::npos);
    }
}

TEST(EvaluationChecks, CutsThatOverlapAreNamedAndNeighboursAreNot) {
    StreamModel model = test::small_model(82, 1, true);
    model.areas.push_back(model.areas[1]);
    model.areas[2].mu = {model.areas[1].mu.max, model.areas[1].mu.max + 3, 4};
    EXPECT_TRUE(area_warnings(model, "82.toml").empty());
    model.areas[2].mu.min -= 0.1;
    model.areas[2].mu.min += 360;
    model.areas[2].mu.max += 360;
    const auto warnings = area_warnings(model, "82.toml");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("cuts 1 and 2 of '82.toml' overlap"), std::string::npos);
    model.areas[2].nu = {0.5, 1.25, 2};  // the first ends there
    EXPECT_TRUE(area_warnings(model, "82.toml").empty());
}

TEST(EvaluationChecks, WithoutCutsNothingIsWarnedOf) {
    Evaluation e = good();
    e.uncut_integrals.clear();
    e.stream_integrals[0] = 1e-30;
    EXPECT_TRUE(cut_warnings(e, "84.toml").empty());
}

}  // namespace
}  // namespace tessera::likelihood
