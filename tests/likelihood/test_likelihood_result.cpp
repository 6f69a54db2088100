// A result comes back from its file bit for bit, alone or as one of several wedges.
#include "likelihood/result/result.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "core/error.hpp"
#include "io/temporary_folder.hpp"
#include "likelihood/model/evaluation_record.hpp"
#include "small_wedges.hpp"

namespace tessera::likelihood {
namespace {

void expect_same(const Evaluation& a, const Evaluation& b) {
    EXPECT_EQ(a.background_integral, b.background_integral);
    EXPECT_EQ(a.search_likelihood, b.search_likelihood);
    EXPECT_EQ(a.background_likelihood, b.background_likelihood);
    EXPECT_EQ(a.stream_integrals, b.stream_integrals);
    EXPECT_EQ(a.stream_only_likelihoods, b.stream_only_likelihoods);
    EXPECT_EQ(a.error_estimates, b.error_estimates);
    EXPECT_EQ(a.uncut_integrals, b.uncut_integrals);
    EXPECT_EQ(a.exact_components, b.exact_components);
    EXPECT_EQ(a.empty_streams, b.empty_streams);
}

/// Wedges with 0, 1, ... streams and 10, 20, ... stars.
class LikelihoodResults : public testing::Test {
  protected:
    LikelihoodResult make(std::size_t count) {
        for (std::size_t w = 0; w < count; ++w) {
            input.parameters.push_back("p" + std::to_string(w));
            input.stars.push_back("s" + std::to_string(w));
            wedges.push_back(
                {test::small_model(10 + static_cast<int>(w), w), test::small_stars(10 * (w + 1))});
            evaluations.push_back(test::made_up_evaluation(w, 10 * (w + 1)));
            evaluations.back().search_likelihood -= static_cast<double>(w);
        }
        return make_likelihood_result(input, wedges, evaluations);
    }
    io::h5::File write(const LikelihoodResult& result) {
        auto file = io::h5::File::create(folder / "out.h5");
        write_likelihood_result(file.root(), result, wedges);
        file.close();
        return io::h5::File::open(folder / "out.h5");
    }

    test::TemporaryFolder folder;
    LikelihoodInput input;
    std::vector<WedgeInput> wedges;
    std::vector<Evaluation> evaluations;
};

TEST(EvaluationRecord, ComesBackBitForBit) {
    for (const std::size_t streams : {0u, 1u, 4u}) {
        Evaluation e = test::made_up_evaluation(streams, 17);
        e.gradient = {1.0 / 3, -2};
        e.memberships = {0.25, 0.75};
        e.empty_streams = {1, 3};
        const Evaluation back = unpack(pack(e));
        expect_same(back, e);
        EXPECT_EQ(back.star_log10_density, e.star_log10_density);
        EXPECT_EQ(back.gradient, e.gradient);
        EXPECT_EQ(back.memberships, e.memberships);
    }
}

TEST(EvaluationRecord, TornOnesAreRefused) {
    auto numbers = pack(test::made_up_evaluation(2, 5));
    numbers.pop_back();
    EXPECT_THROW(unpack(numbers), Error);
    EXPECT_THROW(unpack({}), Error);
}

TEST_F(LikelihoodResults, OneWedgeLiesInTheGroupItself) {
    const LikelihoodResult result = make(1);
    const auto file = write(result);
    const auto group = file.root().open_group("likelihood");
    EXPECT_EQ(group.read_attribute<double>("search_likelihood"), evaluations[0].search_likelihood);
    EXPECT_EQ(group.read_attribute<double>("background_integral"), 1.0 / 3);
    EXPECT_EQ(group.open_dataset("stars").shape(), (io::h5::Shape{10}));
    EXPECT_EQ(group.open_dataset("stream_integrals").shape(), (io::h5::Shape{0}));
    const LikelihoodResult back = read_likelihood_result(file.root());
    ASSERT_EQ(back.wedges.size(), 1u);
    expect_same(back.wedges[0].evaluation, evaluations[0]);
    EXPECT_EQ(back.wedges[0].wedge, 10);
    EXPECT_EQ(back.wedges[0].parameters, "p0");
    EXPECT_EQ(back.wedges[0].stars, "s0");
    EXPECT_EQ(back.search_likelihood(), evaluations[0].search_likelihood);
}

TEST_F(LikelihoodResults, SeveralWedgesAreNumberedAndSummedOverTheirStars) {
    const LikelihoodResult result = make(3);
    const auto file = write(result);
    const auto group = file.root().open_group("likelihood");
    const double first = evaluations[0].search_likelihood;
    const double sum = 10 * first + 20 * (first - 1) + 30 * (first - 2);
    EXPECT_NEAR(group.read_attribute<double>("log10_density_sum"), sum, 1e-12);
    EXPECT_NEAR(group.read_attribute<double>("search_likelihood"), sum / 60, 1e-14);
    EXPECT_EQ(group.read_attribute<std::int64_t>("number_of_stars"), 60);
    const LikelihoodResult back = read_likelihood_result(file.root());
    ASSERT_EQ(back.wedges.size(), 3u);
    for (std::size_t w = 0; w < 3; ++w) {
        expect_same(back.wedges[w].evaluation, evaluations[w]);
        EXPECT_EQ(back.wedges[w].number_of_stars, static_cast<std::int64_t>(10 * (w + 1)));
    }
    EXPECT_EQ(back.log10_density_sum(), result.log10_density_sum());
}

TEST_F(LikelihoodResults, TheReportHasSeventeenDigits) {
    const std::string text = report_text(make(3));
    char search[32];
    std::snprintf(search, sizeof search, "%.17g", evaluations[1].search_likelihood);
    EXPECT_NE(text.find("0.33333333333333331"), std::string::npos) << text;
    EXPECT_NE(text.find(search), std::string::npos) << text;
    EXPECT_NE(text.find("stream_integral 2"), std::string::npos) << text;
    EXPECT_NE(text.find("all 3 wedges: 60 stars"), std::string::npos) << text;
}

TEST_F(LikelihoodResults, MembershipsAreKeptWhereTheyAreAskedFor) {
    make(2);
    std::vector<double>& members = evaluations[1].memberships;
    for (int star = 0; star < 20; ++star) members.insert(members.end(), {0.75, 0.25});
    evaluations[1].empty_streams = {1};
    evaluations[1].stream_integrals = {0};
    const LikelihoodResult result = make_likelihood_result(input, wedges, evaluations);
    const auto file = write(result);
    const LikelihoodResult back = read_likelihood_result(file.root());
    EXPECT_TRUE(back.wedges[0].expected_stars.empty());
    EXPECT_EQ(back.wedges[1].expected_stars, (std::vector<double>{15, 5}));
    EXPECT_EQ(back.wedges[1].evaluation.empty_streams, (std::vector<int>{1}));
    EXPECT_FALSE(file.root().open_group("likelihood/1").contains("memberships"));
    const auto stored = file.root().open_group("likelihood/2").open_dataset("memberships");
    EXPECT_EQ(stored.shape(), (io::h5::Shape{20, 2}));
    EXPECT_EQ(stored.read<double>().values, members);
    EXPECT_EQ(stored.read_attributes<std::string>("names"),
              (std::vector<std::string>{"background", "stream1"}));
    EXPECT_NE(report_text(back).find("expected_stars stream 1     5"), std::string::npos)
        << report_text(back);
    EXPECT_EQ(back.wedges[1].warnings, result.wedges[1].warnings);
    EXPECT_NE(back.wedges[1].warnings.back().find("weight 0"), std::string::npos);
}

TEST_F(LikelihoodResults, WarningsAreKept) {
    make(2);
    evaluations[1].stream_integrals[0] = 1e-6;
    const LikelihoodResult result = make_likelihood_result(input, wedges, evaluations);
    // Of the cut in the second one, and of the stars, which are in no wedge.
    ASSERT_EQ(result.wedges[1].warnings.size(), result.wedges[0].warnings.size() + 1);
    const LikelihoodResult back = read_likelihood_result(write(result).root());
    EXPECT_EQ(back.wedges[1].warnings, result.wedges[1].warnings);
    EXPECT_EQ(back.wedges[0].warnings, result.wedges[0].warnings);
    EXPECT_GT(result.wedges[1].stars_outside, 0);
    EXPECT_EQ(back.wedges[1].stars_outside, result.wedges[1].stars_outside);
}

}  // namespace
}  // namespace tessera::likelihood
