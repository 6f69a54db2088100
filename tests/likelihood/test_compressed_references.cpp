// The compressed quadrature against the application's own numbers (../shared/data/likelihood).
#include <gtest/gtest.h>

#include <cmath>

#include "likelihood/model/wedge_evaluator.hpp"
#include "reference_case.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

void expect_close(double found, double expected, const std::string& what) {
    EXPECT_NEAR(found, expected, 1e-10 * std::abs(expected)) << what;
}

class CompressedReferences : public testing::TestWithParam<const char*> {};

TEST_P(CompressedReferences, AllNumbersAgreeTo1em10) {
    const auto folder = test::likelihood_folder() / GetParam();
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "reference data missing: " << folder;
    const nlohmann::json json = test::read_json(folder / "case.json");
    const StreamModel model = test::model_of(json);
    const std::vector<Star> stars = test::read_case_stars(folder / "stars.txt");
    const Evaluation found = make_compressed_evaluator(model, stars, {}, test_device().backend)
                                 ->evaluate({&model, 1}, {})
                                 .at(0);
    const nlohmann::json& peer = json["peer"].front();
    EXPECT_TRUE(found.exact_components.empty());
    for (double estimate : found.error_estimates) EXPECT_LE(estimate, 1e-11);
    expect_close(found.background_integral, peer["background_integral"], "background integral");
    expect_close(found.search_likelihood, peer["search_likelihood"], "search likelihood");
    expect_close(found.background_likelihood, peer["background_likelihood"],
                 "background likelihood");
    ASSERT_EQ(found.stream_integrals.size(), peer["stream_integrals"].size());
    for (std::size_t s = 0; s < found.stream_integrals.size(); ++s) {
        const std::string stream = "stream " + std::to_string(s + 1);
        expect_close(found.stream_integrals[s], peer["stream_integrals"][s], stream + " integral");
        expect_close(found.stream_only_likelihoods[s], peer["stream_only_likelihoods"][s],
                     stream + " likelihood");
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, CompressedReferences,
                         testing::Values("classic-11-small", "classic-11-tiny",
                                         "classic-11-tiny-aux", "classic-11-tiny-bgweight",
                                         "classic-11-tiny-conv30", "classic-11-tiny-slowhernquist",
                                         "classic-20-full", "classic-86-tiny-cut",
                                         "head-82-full-modfit", "head-82-small-bpl",
                                         "head-82-small-modfit", "head-82-tiny", "head-82-tiny-aux",
                                         "head-82-tiny-bpl", "head-82-tiny-modfit",
                                         "head-82-tiny-nostreams", "head-82-tiny-slowhernquist"),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST(CompressedReferences, AStreamTooThinForTheApplicationMakesTheResultNotFinite) {
    const auto folder = test::likelihood_folder() / "head-82-tiny-smallsigma";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "reference data missing: " << folder;
    const StreamModel model = test::model_of(test::read_json(folder / "case.json"));
    const std::vector<Star> stars = test::read_case_stars(folder / "stars.txt");
    const Evaluation found = make_compressed_evaluator(model, stars, {}, test_device().backend)
                                 ->evaluate({&model, 1}, {})
                                 .at(0);
    EXPECT_EQ(found.stream_integrals.at(1), 0);
    EXPECT_FALSE(std::isfinite(found.search_likelihood));
}

}  // namespace
}  // namespace tessera::likelihood
