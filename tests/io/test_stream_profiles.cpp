// Backgrounds with a profile that is not the application's: what files say and must not say.
#include "io/streams/stream_profiles.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "core/error.hpp"
#include "io/stream_texts.hpp"

namespace {

using namespace tessera::io;
using tessera::test::classic_toml;
using tessera::test::expect_same;
using tessera::test::later_toml;
using tessera::test::parse;
using tessera::test::replaced;

std::string with_background(const std::string& toml, const std::string& background) {
    return std::regex_replace(toml, std::regex("background = \\{[^}]*\\}"),
                              "background = { " + background + " }");
}

std::string profile_message(const std::string& background) {
    try {
        parse(with_background(later_toml, background));
    } catch (const tessera::Error& error) {
        return error.what();
    }
    return "";
}

void expect_profile_refused(const std::string& background, const std::string& words) {
    const std::string line = profile_message(background);
    EXPECT_TRUE(std::regex_search(line, std::regex(words))) << "not " << words << ": " << line;
}

constexpr const char* backgrounds[] = {
    "profile = \"nfw\", q = 0.7, r0 = 18.5",
    "profile = \"nfw\", q = 0.7, r0 = 18.5, alpha = 0.4",
    "profile = \"einasto\", q = 0.7, r0 = 18.5, alpha = 0.59",
    "profile = \"continuous-broken-power-law\", q = 0.7, r0 = 27, alpha = 2.3, delta = 4.6",
};

TEST(StreamProfiles, FilesGiveTheNumbersOfTheProfile) {
    for (const std::string toml : {classic_toml, later_toml}) {
        const Background nfw = parse(with_background(toml, backgrounds[0])).background;
        EXPECT_EQ(nfw.profile, Profile::nfw);
        EXPECT_EQ(nfw.r0, 18.5);  // also in the 2018 model
        EXPECT_EQ(nfw.alpha, 1);
        EXPECT_EQ(parse(with_background(toml, backgrounds[1])).background.alpha, 0.4);
        const Background law = parse(with_background(toml, backgrounds[3])).background;
        EXPECT_EQ(law.alpha, 2.3);
        EXPECT_EQ(law.delta, 4.6);
    }
}

TEST(StreamProfiles, AnyOfThemMayBeTriaxialAndTilted) {
    const std::string shape = ", p = 0.8, yaw = -24, pitch = 25.5, roll = 3";
    for (const std::string toml : {classic_toml, later_toml})
        for (const char* background : backgrounds) {
            const StreamModel model = parse(with_background(toml, background + shape));
            EXPECT_TRUE(model.background.triaxial);
            EXPECT_EQ(model.background.p, 0.8);
            EXPECT_EQ(model.background.yaw, -24);
            EXPECT_EQ(model.background.pitch, 25.5);
            EXPECT_EQ(model.background.roll, 3);
            expect_same(parse(to_toml(model)), model);
            EXPECT_FALSE(parse(with_background(toml, background)).background.triaxial);
        }
    const StreamModel hernquist = parse(replaced(later_toml, "q = ", "pitch = 10, q = "));
    EXPECT_TRUE(hernquist.background.triaxial);
    EXPECT_EQ(hernquist.background.p, 1);
    expect_same(parse(to_toml(hernquist)), hernquist);
}

TEST(StreamProfiles, AnyOfThemMayHaveDisks) {
    const std::string thin = ", thin = 200, thin_length = 2.6, thin_height = 0.3";
    const std::string thick = ", thick = 23.5, thick_length = 3.6, thick_height = 0.9";
    for (const std::string toml : {classic_toml, later_toml})
        for (const char* background :
             {"q = 0.6, r0 = 12", backgrounds[0], backgrounds[2], backgrounds[3]}) {
            const StreamModel model = parse(with_background(toml, background + thin + thick));
            const Background& b = model.background;
            EXPECT_TRUE(b.thin_disk && b.thick_disk && !b.triaxial);
            EXPECT_EQ(b.thin, 200);
            EXPECT_EQ(b.thin_height, 0.3);
            EXPECT_EQ(b.thick_length, 3.6);
            EXPECT_FALSE(background_depends_on(model, "epsilon"));
            expect_same(parse(to_toml(model)), model);
            const StreamModel one = parse(with_background(toml, background + thick + ", p = 0.8"));
            EXPECT_TRUE(!one.background.thin_disk && one.background.thick_disk);
            EXPECT_TRUE(one.background.triaxial && background_depends_on(one, "thick_height"));
            EXPECT_FALSE(background_depends_on(one, "thin"));
            expect_same(parse(to_toml(one)), one);
        }
    expect_profile_refused("q = 0.6" + thin + ", epsilon = 0.9",
                           "'epsilon'.* no effect beside.*disk");
    expect_profile_refused("q = 0.6, thin = 200, thin_length = 2.6", "'thin_height' is missing");
    expect_profile_refused("q = 0.6, thick_height = 1", "'thick' is missing");
    expect_profile_refused("q = 0.6, thin = -1, thin_length = 2.6, thin_height = 0.3",
                           "background.thin is -1.*between 0 and 10000");
    expect_profile_refused("q = 0.6, thin = 1, thin_length = 0.2, thin_height = 0.3",
                           "background.thin_length is 0.2.*0.5 and 100 kpc");
    expect_profile_refused("q = 0.6, thin = 1, thin_length = 2, thin_hight = 0.3",
                           "'thin_hight'.*'?thin_height");
}

TEST(StreamProfiles, WrittenFilesReadBackTheSame) {
    for (const std::string toml : {classic_toml, later_toml})
        for (const char* background : backgrounds) {
            const StreamModel model = parse(with_background(toml, background));
            expect_same(parse(to_toml(model)), model);
        }
}

TEST(StreamProfiles, WhatHasNoEffectOrIsMissingIsRefused) {
    expect_profile_refused("profile = \"nfw\", q = 0.7, r0 = 18, delta = 1",
                           "delta.*no effect.*nfw");
    expect_profile_refused("profile = \"nfw\", q = 0.7, r0 = 18, epsilon = 1",
                           "epsilon.*no effect");
    expect_profile_refused("profile = \"einasto\", q = 0.7, r0 = 18, alpha = 1, a = 0",
                           "'a' .*no effect");
    expect_profile_refused("profile = \"einasto\", q = 0.7, r0 = 18", "'alpha' is missing");
    expect_profile_refused("profile = \"nfw\", q = 0.7", "'r0' is missing");
    expect_profile_refused("profile = \"continuous-broken-power-law\", q = 1, r0 = 20, alpha = 2",
                           "'delta' is missing");
    expect_profile_refused("profile = \"isothermal\", q = 0.7",
                           "choose hernquist, broken-power-law, nfw, einasto or "
                           "continuous-broken-power-law");
}

TEST(StreamProfiles, NumbersOutOfRangeAreRefused) {
    expect_profile_refused("profile = \"nfw\", q = 0.7, r0 = 0", "background.r0 is 0");
    expect_profile_refused("profile = \"nfw\", q = 0, r0 = 18", "background.q is 0");
    expect_profile_refused("profile = \"nfw\", q = 0.7, r0 = 18, p = 0", "background.p is 0.*0.01");
    expect_profile_refused("profile = \"nfw\", q = 0.7, r0 = 18, yaw = 400",
                           "between -360 and 360 degrees");
    expect_profile_refused("profile = \"nfw\", q = 0.7, r0 = 18, tilt = 4", "'tilt' in background");
    expect_profile_refused("profile = \"nfw\", q = 0.7, r0 = 18, alpha = 3.5", "between 0 and 3");
    expect_profile_refused("profile = \"einasto\", q = 0.7, r0 = 18, alpha = 0.01",
                           "between 0.05 and 10");
    expect_profile_refused(
        "profile = \"continuous-broken-power-law\", q = 1, r0 = 2000, alpha = 2, delta = 4",
        "between 0.01 and 1000 kpc");
}

TEST(StreamProfiles, TheirNumbersAreWhatTheDensityDependsOn) {
    StreamModel model = parse(classic_toml);
    EXPECT_TRUE(background_depends_on(model, "r0"));
    EXPECT_TRUE(background_depends_on(model, "a"));
    EXPECT_FALSE(background_depends_on(model, "epsilon"));
    model = parse(later_toml);
    EXPECT_FALSE(background_depends_on(model, "r0"));
    EXPECT_TRUE(background_depends_on(model, "epsilon"));
    model.background.profile = Profile::nfw;
    EXPECT_TRUE(background_depends_on(model, "r0"));
    EXPECT_FALSE(background_depends_on(model, "epsilon"));
    EXPECT_FALSE(background_depends_on(model, "delta"));
    EXPECT_FALSE(background_depends_on(model, "a"));
    EXPECT_FALSE(background_depends_on(model, "p"));
    model.background.triaxial = true;
    EXPECT_TRUE(background_depends_on(model, "p"));
    EXPECT_TRUE(background_depends_on(model, "yaw"));
}

}  // namespace
