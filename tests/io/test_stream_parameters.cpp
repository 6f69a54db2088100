// Parameter files of stream models: both formats say the same.
#include "io/streams/stream_parameters.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "io/stream_texts.hpp"

namespace {

using namespace tessera::io;
using tessera::test::classic_text;
using tessera::test::classic_toml;
using tessera::test::expect_same;
using tessera::test::later_text;
using tessera::test::later_toml;
using tessera::test::parse;
using tessera::test::replaced;

TEST(StreamParameters, TomlGivesEveryNumber) {
    const StreamModel m = parse(classic_toml);
    EXPECT_EQ(m.wedge, 86);
    EXPECT_EQ(m.convolve, 60);
    EXPECT_EQ(m.model, Model::classic);
    EXPECT_EQ(m.background.epsilon, 0.25);
    EXPECT_EQ(m.background.q, 0.73);
    EXPECT_EQ(m.background.r0, 14.5);
    EXPECT_EQ(m.background.alpha, 1.2);
    EXPECT_EQ(m.background.delta, 0.75);
    ASSERT_EQ(m.streams.size(), 2u);
    EXPECT_EQ(m.streams[1].mu, -16.5);
    EXPECT_EQ(m.streams[1].sigma, 2.25);
    ASSERT_EQ(m.areas.size(), 2u);
    EXPECT_EQ(m.areas[0].mu.max, 420);
    EXPECT_EQ(m.areas[1].nu.steps, 4);
}

TEST(StreamParameters, TextLayoutsSayTheSameAsToml) {
    expect_same(parse(classic_text), parse(classic_toml));
    ModelChoices choices;
    choices.turnoff = Turnoff::newby2011;
    expect_same(parse(later_text, choices), parse(later_toml));
}

TEST(StreamParameters, TheLayoutChoosesTheModelUnlessTold) {
    EXPECT_EQ(parse(classic_text).model, Model::classic);
    EXPECT_EQ(parse(later_text).model, Model::model2018);
    ModelChoices later;
    later.model = Model::model2018;
    later.profile = Profile::broken_power_law;
    const StreamModel m = parse(classic_text, later);
    EXPECT_EQ(m.model, Model::model2018);
    EXPECT_EQ(m.background.profile, Profile::broken_power_law);
    EXPECT_EQ(m.background.r0, 12);
}

TEST(StreamParameters, APairingThatTheApplicationRefusesIsWarnedOf) {
    ModelChoices choices;
    EXPECT_TRUE(parse(classic_text).warnings.empty());
    EXPECT_TRUE(parse(later_text).warnings.empty());
    choices.model = Model::classic;
    EXPECT_TRUE(parse(classic_text, choices).warnings.empty());
    choices.model = Model::model2018;
    EXPECT_TRUE(parse(later_text, choices).warnings.empty());
    const auto warnings = parse(classic_text, choices).warnings;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_TRUE(std::regex_search(warnings[0], std::regex("layout of the classic.*as the 2018")))
        << warnings[0];
}

TEST(StreamParameters, OldTextWithoutVersionAndAuxiliaryLineIsRead) {
    std::string text = replaced(classic_text, "parameters_version: 0.04\n", "");
    text = replaced(text, "aux_bg_profile: 0\n", "");
    expect_same(parse(text), parse(classic_toml));
}

TEST(StreamParameters, DefaultsAreTheApplications) {
    const StreamModel m =
        parse("wedge = 20\nmodel = \"classic\"\nbackground = { q = 0.5, r0 = 12 }\n"
              "[[area]]\nr = { min = 16, max = 22, steps = 7 }\n"
              "mu = { min = 0, max = 9, steps = 3 }\n"
              "nu = { min = -1, max = 1, steps = 1 }\n");
    EXPECT_EQ(m.convolve, 120);
    EXPECT_EQ(m.turnoff, Turnoff::gaussian);
    EXPECT_EQ(m.background.epsilon, 0);
    EXPECT_EQ(m.background.alpha, 1);
    EXPECT_FALSE(m.background.has_auxiliary());
    EXPECT_TRUE(m.streams.empty());
    EXPECT_EQ(m.areas.at(0).mu.steps, 3);  // odd steps are for TOML to allow
}

TEST(StreamParameters, FitTablesAreLeftToTheFit) {
    expect_same(parse(std::string(classic_toml) + "\n[fit]\nanything = [1, 2]\n"),
                parse(classic_toml));
}

}  // namespace
