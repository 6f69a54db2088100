// Parameter files of stream models: what is wrong is named in one line.
#include "io/streams/stream_parameters.hpp"

#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "core/error.hpp"
#include "io/stream_texts.hpp"
#include "support/mutated_text.hpp"

namespace {

using namespace tessera::io;
using tessera::Error;
using tessera::test::classic_text;
using tessera::test::classic_toml;
using tessera::test::expect_same;
using tessera::test::later_text;
using tessera::test::later_toml;
using tessera::test::parse;
using tessera::test::replaced;

std::string message(const std::string& text, const ModelChoices& choices = {}) {
    try {
        parse(text, choices);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

void expect_refused(const std::string& text, const std::string& words,
                    const ModelChoices& choices = {}) {
    const std::string line = message(text, choices);
    EXPECT_TRUE(std::regex_search(line, std::regex(words))) << "not " << words << ": " << line;
    EXPECT_TRUE(std::regex_match(line, std::regex("[^\n]+ \\([^\n]+\\): [^\n]+"))) << line;
}

TEST(StreamParameters, VersionsThatNeverWereAreRefused) {
    for (const char* version : {"0.01", "0.02", "0.040000", "0.06"})
        expect_same(
            parse(replaced(classic_text, "version: 0.04", std::string("version: ") + version)),
            parse(classic_toml));
    for (const char* version : {"9.9", "1", "0", "-0.04"})
        expect_refused(replaced(classic_text, "version: 0.04", std::string("version: ") + version),
                       "toml:1' \\(parameters_version is not known");
    expect_refused(replaced(classic_text, "version: 0.04", "version: abc"),
                   "toml:1' \\('abc' is not a finite number");
}

TEST(StreamParameters, StreamsMustHaveAMeaning) {
    const std::size_t first = std::string(classic_toml).find("[[stream]]");
    const auto refused = [&](const char* key, const std::string& value, const std::string& words) {
        std::string text = classic_toml;
        const std::size_t at = text.find(std::string(key) + " = ", first);
        text.replace(at, text.find('\n', at) - at, std::string(key) + " = " + value);
        expect_refused(text, "stream1." + words);
    };
    refused("r", "-21.0", "r is -21.*between 0 and");
    refused("r", "1e9", "r is 1e.09.*kpc");
    refused("sigma", "-2.0", "sigma is -2.*between 0 and");
    refused("sigma", "0", "sigma is 0: a stream without width");
    refused("theta", "69.0", "theta is 69.*radians");
    refused("phi", "-40.2", "phi is -40.2.*radians");
    refused("mu", "1e4", "mu is 10000.*degrees");
    // Narrow ones are for the evaluation to refuse, by the name of the component.
    std::string narrow = classic_toml;
    const std::size_t at = narrow.find("sigma = ");
    narrow.replace(at, narrow.find('\n', at) - at, "sigma = 5e-5");
    EXPECT_EQ(parse(narrow).streams[0].sigma, 5e-5);
}

TEST(StreamParameters, UnknownKeysAreNamedWithTheNearestKnownOne) {
    expect_refused(replaced(classic_toml, "convolve", "convolv"),
                   "wedge.toml:2' \\(unknown key 'convolv'\\): did you mean 'convolve'");
    expect_refused(replaced(classic_toml, "delta", "dleta"), "'dleta' in background.*'delta'");
    expect_refused(replaced(classic_toml, "sigma = 2.25", "sgima = 2.25"),
                   "'sgima' in stream 2.*'sigma'");
    expect_refused(replaced(classic_toml, "[[area]]", "[[areas]]"), "'areas'.*'area'");
    expect_refused(replaced(classic_toml, "steps", "step"), "'step' in area 1.nu.*'steps'");
}

TEST(StreamParameters, MissingKeysAreNamed) {
    for (const char* line : {"wedge = 86\n", "model = \"classic\"\n", "mu = -16.5\n"})
        expect_refused(replaced(classic_toml, line, ""),
                       std::string("'") + std::string(line).substr(0, std::string(line).find(' ')) +
                           "' is missing");
    expect_refused(replaced(classic_toml, "q = 0.73, ", ""), "'q' is missing in background");
    expect_refused(replaced(classic_toml, "r0 = 14.5, ", ""), "'r0' is missing in background");
    expect_refused(replaced(later_toml, "epsilon = 0.95, ", ""), "'epsilon' is missing");
    expect_refused(replaced(classic_toml, ", steps = 8 }", " }"),
                   "'steps' is missing in area 1.nu");
    expect_refused(std::string(classic_toml).substr(0, std::string(classic_toml).find("[[area]]")),
                   "'area' is missing");
}

TEST(StreamParameters, TypesAreChecked) {
    expect_refused(replaced(classic_toml, "wedge = 86", "wedge = 86.5"), "'wedge' is not a whole");
    expect_refused(replaced(classic_toml, "wedge = 86", "wedge = \"86\""),
                   "'wedge' is not a whole");
    expect_refused(replaced(classic_toml, "0.73", "true"),
                   "'q' in background is not a finite number");
    expect_refused(replaced(classic_toml, "0.73", "nan"),
                   "'q' in background is not a finite number");
    expect_refused(replaced(classic_toml, "0.73", "inf"),
                   "'q' in background is not a finite number");
    expect_refused(replaced(classic_toml, "\"classic\"", "2018"), "'model' is not a word");
    expect_refused(replaced(classic_toml, "\"classic\"", "\"head\""), "no 'head'.*classic or 2018");
    expect_refused(replaced(classic_toml, "\"gaussian\"", "\"newby\""), "no 'newby'.*newby2011");
    expect_refused(replaced(classic_toml, "steps = 8 }", "steps = 9999999999 }"), "'steps'");
    expect_refused(
        replaced(classic_toml, "[[stream]]\nepsilon = -1.75", "[stream]\nepsilon = -1.75"),
        "stream");
    expect_refused("wedge = \n", "wedge.toml:1.*TOML");
    expect_refused("\xff\xfe\x01", "TOML");
}

TEST(StreamParameters, NumbersOutOfTheirRangeAreRefusedInBothFormats) {
    const std::tuple<const char*, const char*, const char*, const char*, const char*> cases[] = {
        {"wedge = 86", "wedge = 0", "wedge: 86", "wedge: 0", "wedge is 0"},
        {"wedge = 86", "wedge = 87", "wedge: 86", "wedge: 87", "wedge is 87"},
        {"convolve = 60", "convolve = 0", "convolve: 60", "convolve: 0", "convolve is 0"},
        {"convolve = 60", "convolve = 61", "convolve: 60", "convolve: 61", "even"},
        {"convolve = 60", "convolve = 258", "convolve: 60", "convolve: 258", "convolve is 258"},
        {"q = 0.73", "q = 0", "0.73,", "0,", "background.q is 0"},
        {"q = 0.73", "q = -0.5", "0.73,", "-0.5,", "background.q is -0.5"},
        {"r0 = 14.5", "r0 = 0", "14.5,", "0,", "background.r0 is 0"},
        {"sigma = 2.25", "sigma = 0", "2.25\n", "0\n", "stream2.sigma is 0"},
        {"epsilon = -1.75", "epsilon = 1e5", "-1.75", "1e5", "stream1.epsilon is 100000"},
        {"steps = 8", "steps = 0", "1.25, 8", "1.25, 0", "the wedge.nu.steps is 0"},
        {"steps = 8", "steps = -2", "1.25, 8", "1.25, -2", "the wedge.nu.steps is -2"},
        {"steps = 8", "steps = 200000", "1.25, 8", "1.25, 200000", "the wedge.nu.steps"},
        {"max = 384.0", "max = 382", "384.0,", "382,", "cut 1.mu goes from 382 to 382"},
        {"max = 420.0", "max = 300", "420.0,", "300,", "the wedge.mu goes from 310 to 300"},
        {"max = 420.0", "max = 680", "420.0,", "680,", "more than once"},
        {"max = 0.5", "max = 95", "-1.25, 0.5,", "-1.25, 95,", "cut 1.nu.max is 95"},
    };
    for (const auto& [toml, bad_toml, text, bad_text, words] : cases) {
        expect_refused(replaced(classic_toml, toml, bad_toml), words);
        expect_refused(replaced(classic_text, text, bad_text), words);
    }
    for (const char* share : {"-0.1", "1.5"}) {
        expect_refused(replaced(later_toml, "epsilon = 0.95", std::string("epsilon = ") + share),
                       "background.epsilon is");
        expect_refused(replaced(later_text, "weight: 0.95", std::string("weight: ") + share),
                       "background.epsilon is");
    }
}

TEST(StreamParameters, CombinationsThatWereNeverDefinedAreRefused) {
    expect_refused(replaced(classic_toml, "\"gaussian\"", "\"newby2011\""), "newby2011");
    expect_refused(replaced(classic_toml, "\"hernquist\"", "\"broken-power-law\""), "power law");
    ModelChoices law;
    law.profile = Profile::broken_power_law;
    expect_refused(classic_text, "power law", law);
    expect_refused(replaced(replaced(later_toml, "\"hernquist\"", "\"broken-power-law\""),
                            "q = 0.5", "q = 0.5, alpha = 2, delta = 4, a = 1e-6"),
                   "no effect");
}

TEST(StreamParameters, OptionsMustNotContradictToml) {
    ModelChoices choices;
    choices.model = Model::classic;
    expect_same(parse(classic_toml, choices), parse(classic_toml));
    expect_same(parse(replaced(classic_toml, "model = \"classic\"\n", ""), choices),
                parse(classic_toml));
    choices.model = Model::model2018;
    expect_refused(classic_toml, "model = \"classic\".*differs", choices);
}

TEST(StreamParameters, TextLinesAreCheckedOneByOne) {
    const std::pair<std::string, std::string> cases[] = {
        {replaced(classic_text, "sgr_coordinates: 0", "sgr_coordinates: 1"), "toml:31.*sgr_coord"},
        {replaced(classic_text, "number_parameters: 4", "number_parameters: 5"), "not 4"},
        {replaced(classic_text, "number_streams: 2, 5", "number_streams: 3, 5"),
         "'stream_weight:'"},
        {replaced(classic_text, "number_streams: 2, 5", "number_streams: 1, 5"), "'convolve:'"},
        {replaced(classic_text, "number_streams: 2, 5", "number_streams: 2, 6"), "and 5"},
        {replaced(classic_text, "number_streams: 2, 5", "number_streams: -1, 5"), "and 5"},
        {replaced(classic_text, "number_streams: 2, 5", "number_streams: 1e300, 5"),
         "stream_weight"},
        {replaced(classic_text, "number_cuts: 1", "number_cuts: 0"), "continues after"},
        {replaced(classic_text, "number_cuts: 1", "number_cuts: 2"), "ends before 'r_cut:'"},
        {replaced(classic_text, "number_cuts: 1", "number_cuts: one"), "whole number"},
        {replaced(classic_text, "420.0, 20", "420.0, 21"), "steps of 'mu' are not an even"},
        {replaced(classic_text, "384.0, 4", "384.0, 3"), "steps of 'mu_cut' are not an even"},
        {replaced(classic_text, "384.0, 4", "384.0, 4.5"), "steps of 'mu_cut' are not an even"},
        {replaced(classic_text, "0.73,", "nan,"), "'nan' is not a finite number"},
        {replaced(classic_text, "0.73,", ""), "needs 4 numbers and has 3"},
        {replaced(classic_text, "wedge: 86", "wedge: x"), "'wedge' needs a whole"},
        {replaced(classic_text, "wedge: 86\n", ""), "should begin with 'wedge:' but is 'r\\[min"},
        {std::string(classic_text).substr(0, 400), "ends before|should begin|needs"},
    };
    for (const auto& [text, words] : cases) expect_refused(text, words);
}

TEST(StreamParameters, TomlMayHoldOtherLettersInCommentsAlone) {
    const std::string umlaut = "\xC3\xBC";
    expect_same(parse("\xEF\xBB\xBF# f" + umlaut + "r\n" + std::string(classic_toml)),
                parse(classic_toml));
    for (const auto& [old, other] :
         {std::pair<std::string, std::string>{"wedge = 86", "wedge = 86" + umlaut},
          {"wedge = 86", umlaut + "wedge = 86"},
          {"wedge = 86", "w" + umlaut + " = 86"},
          {"\"classic\"", "\"klassisch" + umlaut + "\""},
          {"\"classic\"", "\"\"\"\\\n" + umlaut + "\"\"\""}})
        expect_refused(replaced(classic_toml, old, other), "as TOML|unknown key|there is no");
}

TEST(StreamParameters, DamagedFilesGiveAModelOrOneLine) {
    std::mt19937 random(11);
    for (const std::string good : {classic_text, later_text, classic_toml, later_toml}) {
        int refused = 0;
        for (int i = 0; i < 3000; ++i) {
            const std::string text = tessera::test::mutated(good, random);
            try {
                validate(parse(text), "again");
            } catch (const Error& error) {
                ++refused;
                ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos);
            }
        }
        EXPECT_GT(refused, 500);
        EXPECT_LT(refused, 3000);
    }
}

}  // namespace
