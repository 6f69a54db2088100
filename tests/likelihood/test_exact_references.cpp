// The exact mode against the application's own numbers (../shared/data/likelihood).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "likelihood/model/wedge_evaluator.hpp"
#include "reference_case.hpp"
#include "support/test_device.hpp"

namespace tessera::likelihood {
namespace {

Evaluation evaluate_case(const std::filesystem::path& folder,
                         kernels::Precision precision = kernels::Precision::double_precision) {
    const StreamModel model = test::model_of(test::read_json(folder / "case.json"));
    const std::vector<Star> stars = test::read_case_stars(folder / "stars.txt");
    EvaluatorOptions options;
    options.precision = precision;
    return make_exact_evaluator(model, stars, options, test_device().backend)
        ->evaluate(std::span(&model, 1), {})
        .front();
}

void expect_close(double found, double expected, const std::string& what) {
    EXPECT_NEAR(found, expected, 1e-12 * std::abs(expected)) << what;
}

class ExactReferences : public testing::TestWithParam<const char*> {};

TEST_P(ExactReferences, AllNumbersAgreeTo1em12) {
    const auto folder = test::likelihood_folder() / GetParam();
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "reference data missing: " << folder;
    const nlohmann::json peer = test::read_json(folder / "case.json")["peer"]["no-intrinsics"];
    const Evaluation found = evaluate_case(folder);
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

/// Largest relative difference of all integrals and likelihoods.
double worst_difference(const Evaluation& found, const nlohmann::json& peer) {
    double worst = 0;
    const auto note = [&](double a, double b) { worst = std::max(worst, std::abs(a / b - 1)); };
    note(found.background_integral, peer["background_integral"]);
    note(found.search_likelihood, peer["search_likelihood"]);
    note(found.background_likelihood, peer["background_likelihood"]);
    for (std::size_t s = 0; s < found.stream_integrals.size(); ++s) {
        note(found.stream_integrals[s], peer["stream_integrals"][s]);
        note(found.stream_only_likelihoods[s], peer["stream_only_likelihoods"][s]);
    }
    return worst;
}

/// Table 1 of the 2009 paper: 1e-8 with compensated sums, 2e-6 without. The tiny wedges have too
/// few points for running sums to lose much.
TEST_P(ExactReferences, CompensatedSinglePrecisionAgreesTo2em8AndPlainIsAHundredTimesWorse) {
    const std::string name = GetParam();
    const auto folder = test::likelihood_folder() / name;
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "reference data missing: " << folder;
    const nlohmann::json peer = test::read_json(folder / "case.json")["peer"]["no-intrinsics"];
    const auto error = [&](kernels::Precision precision) {
        return worst_difference(evaluate_case(folder, precision), peer);
    };
    const double compensated = error(kernels::Precision::single_compensated);
    EXPECT_LE(compensated, 2e-8);
    if (name.find("-small") == std::string::npos) return;
    EXPECT_GE(error(kernels::Precision::single_plain), 100 * compensated);
}

INSTANTIATE_TEST_SUITE_P(Cases, ExactReferences,
                         testing::Values("classic-11-small", "classic-11-tiny",
                                         "classic-11-tiny-aux", "classic-11-tiny-bgweight",
                                         "classic-11-tiny-conv30", "classic-11-tiny-slowhernquist",
                                         "classic-86-tiny-cut", "head-82-small-bpl",
                                         "head-82-small-modfit", "head-82-tiny", "head-82-tiny-aux",
                                         "head-82-tiny-bpl", "head-82-tiny-modfit",
                                         "head-82-tiny-nostreams", "head-82-tiny-slowhernquist"),
                         [](const auto& info) {
                             std::string name = info.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST(ExactReferences, AStreamTooThinForTheApplicationMakesTheResultNotFinite) {
    const auto folder = test::likelihood_folder() / "head-82-tiny-smallsigma";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "reference data missing: " << folder;
    const nlohmann::json peer = test::read_json(folder / "case.json")["peer"]["no-intrinsics"];
    const Evaluation found = evaluate_case(folder);
    EXPECT_EQ(found.stream_integrals.at(1), 0);
    EXPECT_FALSE(std::isfinite(found.search_likelihood));
    expect_close(found.background_integral, peer["background_integral"], "background integral");
    expect_close(found.stream_integrals.at(0), peer["stream_integrals"][0], "first stream");
}

}  // namespace
}  // namespace tessera::likelihood
