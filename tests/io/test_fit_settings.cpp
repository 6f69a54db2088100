#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/streams/fit_settings.hpp"
#include "support/message_of.hpp"
#include "support/mutated_text.hpp"

namespace tessera::io {

namespace {

FitSettings parsed(const std::string& text) {
    return parse_fit_settings({"a.toml", text, "parameter file"});
}

std::string message_of(const std::string& text) {
    return test::message_of([&] { parsed(text); });
}

void expect_told(const std::string& text, const std::string& words) {
    EXPECT_NE(message_of(text).find(words), std::string::npos) << message_of(text);
}

/// Two streams in the layout of 2018; every number of its bounds and flags is another.
const std::string text_file = R"(number_parameters: 4
background_weight: 0.9
background_weight_step: 0.000001
background_weight_min: 0.8
background_weight_max: 1.0
optimize_background_weight: 1
background_parameters[4]: 1.0, 0.3, 12.0, 1.0
background_step[4]: 0.02, 0.000004, 0.00008, 0.02
background_min[4]: 0.0, 0.3, 1.0, 0.1
background_max[4]: 3.0, 1.5, 30.0, 3.0
optimize_parameter[4]: 0, 1, 1, 0
number_streams: 2, 5
stream_weight: -2.5
stream_weight_step: 0.000001
stream_weight_min: -19.0
stream_weight_max: 18.0
optimize_weight: 1
stream_parameters[5]: 376.4, 26.8, 2.8, 2.4, 1.4
stream_step[5]: 0.00003, 0.00004, 0.00006, 0.00004, 0.000004
stream_min[5]: -400.0, 2.3, -6.28, -6.28, 0.1
stream_max[5]: 400.0, 57.5, 6.28, 6.28, 25.0
optimize_parameter[5]: 1, 1, 1, 1, 0
stream_weight: -0.3
stream_weight_step: 0.000001
stream_weight_min: -20.0
stream_weight_max: 20.0
optimize_weight: 0
stream_parameters[5]: 369.8, 40.2, 1.3, 0.5, 22.3
stream_step[5]: 0.00003, 0.00004, 0.00006, 0.00004, 0.000004
stream_min[5]: 350, 2.4, 0, -3, 0.2
stream_max[5]: 400.0, 57.6, 3, 3, 26.0
optimize_parameter[5]: 0, 0, 0, 0, 1
convolve: 120
)";

}  // namespace

TEST(FitSettings, AFileWithoutATableHasTheDefaults) {
    const FitSettings settings = parsed("wedge = 82\n[background]\nq = 1\n");
    EXPECT_EQ(settings.method, "differential-evolution");
    EXPECT_EQ(settings.starts, 1);
    EXPECT_TRUE(settings.free.empty());
}

TEST(FitSettings, EveryKeyOfTheTableIsTaken) {
    const FitSettings settings = parsed(R"([fit]
method = "particle-swarm"
start = "file"
population = 30
generations = 40
starts = 5
variations = 7
seed = 9007199254740993
tolerance = 1e-4
free = ["background.q", "stream1.mu"]
[fit.bounds]
"background.q" = [0.2, 1]
"stream1.mu" = [10, 20.5]
)");
    EXPECT_EQ(settings.method, "particle-swarm");
    EXPECT_EQ(settings.start, "file");
    EXPECT_EQ(settings.population, 30);
    EXPECT_EQ(settings.generations, 40);
    EXPECT_EQ(settings.starts, 5);
    EXPECT_EQ(settings.variations, 7);
    EXPECT_EQ(settings.seed, 9007199254740993u);
    EXPECT_EQ(settings.tolerance, 1e-4);
    EXPECT_EQ(settings.free, (std::vector<std::string>{"background.q", "stream1.mu"}));
    EXPECT_EQ(settings.bounds,
              (std::vector<ParameterBounds>{{"background.q", 0.2, 1}, {"stream1.mu", 10, 20.5}}));
}

TEST(FitSettings, WhatIsWrongIsToldWithItsLine) {
    expect_told("\n[fit]\nmethid = 1\n", "a.toml:3");
    expect_told("[fit]\nmethid = 1\n", "did you mean 'method'?");
    expect_told("[fit]\nmethod = 1\n", "'method' in fit is not a word");
    expect_told("[fit]\nmethod = \"annealing\"\n", "annealing");
    expect_told("[fit]\nstart = \"here\"\n", "here");
    expect_told("[fit]\nseed = -1\n", "'seed'");
    expect_told("[fit]\npopulation = 3\n", "3");
    expect_told("[fit]\npopulation = 99999999999\n", "'population'");
    expect_told("[fit]\nstarts = 0\n", "0 starts");
    expect_told("[fit]\ntolerance = nan\n", "'tolerance'");
    expect_told("[fit]\nfree = \"all\"\n", "'free'");
    expect_told("[fit]\nfree = [1]\n", "'free'");
    expect_told("[fit]\n[fit.bounds]\nq = 1\n", "[lower, upper]");
    expect_told("[fit]\n[fit.bounds]\n\"background.q\" = [1, 0.5]\n", "lower bound first");
    expect_told("[fit]\nbounds = 3\n", "'bounds'");
    expect_told("fit = 3\n", "[fit]");
    expect_told("[fit\n", "TOML");
}

TEST(FitSettings, NothingToFitIsSaid) {
    expect_told("[fit]\nseed = 1\nfree = []\n",
                "nothing to fit ('free' in fit is empty, 'a.toml:3')");
    std::string text = text_file;
    for (std::size_t at = text.find("optimize"); at != std::string::npos;
         at = text.find("optimize", at + 1)) {
        const std::size_t colon = text.find(':', at), end = text.find('\n', at);
        std::replace(text.begin() + static_cast<std::ptrdiff_t>(colon),
                     text.begin() + static_cast<std::ptrdiff_t>(end), '1', '0');
    }
    expect_told(text, "nothing to fit (no optimize flag of 'a.toml' is 1)");
}

TEST(FitSettings, DoubledNamesAreRefusedWithTheirLine) {
    expect_told("[fit]\nfree = [\"stream1.mu\",\n\"stream1.mu\"]\n",
                "a.toml:3' ('free' in fit names stream1.mu twice)");
}

TEST(FitSettings, BoundsAndFlagsOfTextFilesAreToldWithTheirLine) {
    const auto edited = [](const std::string& old, const std::string& other) {
        std::string text = text_file;
        return text.replace(text.find(old), old.size(), other);
    };
    // Minima in one line, maxima in the next.
    expect_told(edited("stream_min[5]: -400.0, 2.3", "stream_min[5]: -400.0, 99"),
                "a.toml:20' (the bounds of stream1.r are 99 and 57.5)");
    expect_told(edited("background_min[4]: 0.0, 0.3", "background_min[4]: 0.0, x"),
                "a.toml:10' (the bounds of background are not 4 numbers");
    expect_told(edited("optimize_parameter[4]: 0, 1, 1, 0", "optimize_parameter[4]: 0, 1, y, 0"),
                "a.toml:11' (the flags of background are not 4 numbers)");
    expect_told("[fit]\n[fit.bounds]\n\n\"background.q\" = [1, 0.5]\n",
                "a.toml:4' (the bounds of background.q are 1 and 0.5)");
}

TEST(FitSettings, ATextFileGivesItsBoundsAndFlags) {
    const FitSettings settings = parsed(text_file);
    const std::vector<std::string> free{"background.epsilon", "background.q", "stream1.epsilon",
                                        "stream1.mu",         "stream1.r",    "stream1.theta",
                                        "stream1.phi",        "stream2.sigma"};
    EXPECT_EQ(settings.free, free);
    // Stream 1 may point anywhere: its angles' bounds go round, and say nothing. r0 has no effect.
    const std::vector<ParameterBounds> bounds{
        {"background.epsilon", 0.8, 1}, {"background.alpha", 0, 3},   {"background.q", 0.3, 1.5},
        {"background.delta", 0.1, 3},   {"stream1.epsilon", -19, 18}, {"stream1.r", 2.3, 57.5},
        {"stream1.sigma", 0.1, 25},     {"stream2.epsilon", -20, 20}, {"stream2.mu", 350, 400},
        {"stream2.r", 2.4, 57.6},       {"stream2.theta", 0, 3},      {"stream2.phi", -3, 3},
        {"stream2.sigma", 0.2, 26}};
    EXPECT_EQ(settings.bounds, bounds);
}

TEST(FitSettings, DamagedFilesAreReadOrRefusedAndNothingElse) {
    const std::string toml = "wedge = 82\n[fit]\nmethod = \"particle-swarm\"\nseed = 3\n"
                             "tolerance = 1e-4\nfree = [\"background.q\"]\n[fit.bounds]\n"
                             "\"background.q\" = [0.2, 1]\n";
    std::mt19937 random(4);
    int refused = 0;
    constexpr int files = 4000;
    for (int i = 0; i < files; ++i) {
        const std::string text = test::mutated(i % 2 ? toml : text_file, random);
        try {
            validate(parsed(text), "again");
        } catch (const Error& error) {
            ++refused;
            EXPECT_EQ(error.code(), ExitCode::usage) << text;
        }
    }
    EXPECT_GT(refused, files / 20);
    EXPECT_LT(refused, files);
}

TEST(FitSettings, ADamagedTextFileIsRefused) {
    std::string text = text_file;
    text.replace(text.find("2.3, -6.28"), 3, "x.3");
    expect_told(text, "stream1");
}

}  // namespace tessera::io
