// What a likelihood run depends on is checked, told in full, and recognised again.
#include "likelihood/model/input.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>

#include "core/error.hpp"
#include "io/files/input_file.hpp"
#include "io/stream_texts.hpp"
#include "io/temporary_folder.hpp"
#include "small_wedges.hpp"
#include "support/counted_opens.hpp"
#include "support/star_files.hpp"

namespace tessera::likelihood {
namespace {

std::string refusal(const LikelihoodInput& input) {
    try {
        validate(input);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// Two wedges in files.
class LikelihoodFiles : public testing::Test {
  protected:
    LikelihoodFiles() {
        std::ofstream(folder / "86.toml") << test::classic_toml;
        std::ofstream(folder / "82.txt") << test::later_text;
        test::write_star_file(folder / "86.stars", test::small_stars(7, 1));
        test::write_star_file(folder / "82.stars", test::small_stars(9, 2));
        input.parameters = {folder / "86.toml", folder / "82.txt"};
        input.stars = {folder / "86.stars", folder / "82.stars"};
        input.allow_stars_outside = true;  // they are anywhere
    }
    std::string hash() const { return hash_of(input, read_wedges(input)); }

    test::TemporaryFolder folder;
    LikelihoodInput input;
};

TEST(LikelihoodInput, FilesMustComeInPairs) {
    LikelihoodInput input;
    input.parameters = {"a", "b"};
    input.stars = {"c"};
    EXPECT_NE(refusal(input).find("2 parameter files and 1 star file "), std::string::npos);
}

TEST(LikelihoodInput, ToleranceAndPrecisionMustFit) {
    LikelihoodInput input;
    for (const double tolerance : {0.0, -1.0, 1.0, std::nan("")}) {
        input.evaluation.tolerance = tolerance;
        EXPECT_NE(refusal(input).find("--tolerance"), std::string::npos) << tolerance;
    }
    input.evaluation.tolerance = 1e-9;
    EXPECT_EQ(refusal(input), "");
    input.evaluation.precision = kernels::Precision::single_compensated;
    EXPECT_NE(refusal(input).find("--integration exact"), std::string::npos);
    input.integration = Integration::exact;
    EXPECT_EQ(refusal(input), "");
}

TEST_F(LikelihoodFiles, ArePairedInOrder) {
    const auto wedges = read_wedges(input);
    ASSERT_EQ(wedges.size(), 2u);
    EXPECT_EQ(wedges[0].model.wedge, 86);
    EXPECT_EQ(wedges[0].stars.size(), 7u);
    EXPECT_EQ(wedges[1].model.wedge, 82);
    EXPECT_EQ(wedges[1].stars.size(), 9u);
}

TEST_F(LikelihoodFiles, StarsOutsideAreWarnedOfOrRefused) {
    const auto wedges = read_wedges(input);
    const auto warnings = warnings_of(input, wedges);
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_NE(warnings[1].find("82.stars"), std::string::npos) << warnings[1];
    const std::string allowed = hash_of(input, wedges);
    input.allow_stars_outside = false;
    EXPECT_NE(hash_of(input, wedges), allowed);
    EXPECT_THROW(read_wedges(input), Error);
}

TEST_F(LikelihoodFiles, GridsBeyondAllMachinesAreRefusedForTheExactIntegration) {
    std::string large(test::classic_toml);
    for (const char* steps : {"steps = 8", "steps = 20", "steps = 20"})
        large = test::replaced(large, steps, "steps = 90000");
    std::ofstream(folder / "86.toml") << large;
    EXPECT_EQ(read_wedges(input).size(), 2u);
    input.integration = Integration::exact;
    EXPECT_THROW(read_wedges(input), Error);
}

TEST_F(LikelihoodFiles, JsonTellsEveryNumberAndDefault) {
    const auto json = nlohmann::json::parse(to_json(input, read_wedges(input)));
    EXPECT_EQ(json.at("integration"), "compressed");
    EXPECT_EQ(json.at("quadrature"), "milkyway");
    EXPECT_EQ(json.at("precision"), "double");
    EXPECT_EQ(json.at("tolerance"), 1e-11);
    const auto& wedge = json.at("wedges").at(0);
    EXPECT_EQ(wedge.at("number_of_stars"), 7);
    const auto& model = wedge.at("model");
    EXPECT_EQ(model.at("model"), "classic");
    EXPECT_EQ(model.at("background").at("delta"), 0.75);
    EXPECT_EQ(model.at("background").at("a"), 0);
    EXPECT_EQ(model.at("stream").at(1).at("sigma"), 2.25);
    EXPECT_EQ(model.at("area").at(1).at("nu").at("max"), 0.5);
    EXPECT_EQ(json.at("wedges").at(1).at("model").at("model"), "2018");
}

TEST_F(LikelihoodFiles, TheHashFollowsOptionsAndContents) {
    const std::string first = hash();
    EXPECT_EQ(hash(), first);
    input.evaluation.tolerance = 1e-9;
    EXPECT_NE(hash(), first);
    input.evaluation.tolerance = 1e-11;
    test::write_star_file(folder / "82.stars", test::small_stars(9, 3));
    EXPECT_NE(hash(), first);
}

// What is hashed a moment later may be another file.
TEST_F(LikelihoodFiles, AreReadOnceAndHashedAsTheyWereRead) {
    std::string told;
    for (const auto& [name, times] : test::counted_opens(folder.path(), [&] { told = hash(); }))
        EXPECT_EQ(times, 1) << name;
    std::string text = to_json(input, read_wedges(input));
    for (const char* name : {"86.toml", "82.txt", "86.stars", "82.stars"})
        text += io::sha256_of_file(folder / name);
    EXPECT_EQ(told, io::sha256_of(text));
}

}  // namespace
}  // namespace tessera::likelihood
