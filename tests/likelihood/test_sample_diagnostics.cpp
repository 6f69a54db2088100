#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "likelihood/sample/diagnostics.hpp"
#include "likelihood/sample/normal_quantile.hpp"
#include "likelihood/sample/sample_result.hpp"

namespace tessera::likelihood {

namespace {

/// Autoregressive chains from the linear congruential generator of the C standard's example, so
/// that another program can make the same. Chain c is shifted by c * `shift`.
Chains chains_of(int count, int draws, double memory, double shift, bool rounded) {
    Chains chains;
    std::int64_t state = 1;
    for (int c = 0; c < count; ++c) {
        double y = 0;
        std::vector<double> chain;
        for (int d = 0; d < draws; ++d) {
            state = (1103515245 * state + 12345) % (std::int64_t{1} << 31);
            y = memory * y + static_cast<double>(state) / 0x1p31 - 0.5;
            const double x = y + shift * c;
            chain.push_back(rounded ? std::nearbyint(x) : x);
        }
        chains.push_back(chain);
    }
    return chains;
}

struct Case {
    int count, draws;
    double memory, shift;
    bool rounded;
    double r_hat, bulk, tail;
};

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST(SampleDiagnostics, AgreeWithArviZ) {
    // By rhat() and ess() of ArviZ 0.23.4, which gives no R-hat of one chain.
    const Case cases[] = {
        {4, 100, 0.7, 0, false, 1.02348680370422, 82.3569633897953, 142.961872353944},
        {4, 100, 0.7, 0.4, false, 1.44278106787313, 8.97323504708445, 38.9088819842043},
        {2, 51, -0.5, 0, false, 0.999570110014721, 200, 94.5162728488632},
        {3, 40, 0.98, 0, false, 1.43265119158926, 7.39654776185482, 13.9731568302997},
        {4, 200, 0.3, 0, true, 1.0042490316808, 509.179475831447, 504.663088806344},
        {1, 64, 0.5, 0, false, none, 25.181367196675, 44.1952849452385},
    };
    for (const Case& one : cases) {
        const Chains chains = chains_of(one.count, one.draws, one.memory, one.shift, one.rounded);
        SCOPED_TRACE(one.bulk);
        if (!std::isnan(one.r_hat)) {
            EXPECT_NEAR(r_hat(chains), one.r_hat, 1e-12);
        }
        EXPECT_NEAR(bulk_ess(chains), one.bulk, 1e-9);
        EXPECT_NEAR(tail_ess(chains), one.tail, 1e-9);
    }
}

TEST(SampleDiagnostics, TellWhatTheyCannotJudge) {
    const Chains constant(2, std::vector<double>(10, 3.0));
    EXPECT_TRUE(std::isnan(r_hat(constant)));
    EXPECT_EQ(bulk_ess(constant), 20);
    Chains broken = chains_of(2, 20, 0.5, 0, false);
    broken[1][3] = none;
    EXPECT_TRUE(std::isnan(r_hat(broken)));
    EXPECT_TRUE(std::isnan(tail_ess(broken)));
    EXPECT_TRUE(std::isnan(bulk_ess(chains_of(2, 3, 0.5, 0, false))));
    EXPECT_TRUE(std::isnan(bulk_ess({})));
}

TEST(SampleDiagnostics, Summary) {
    const Summary summary = summarise({{1, 2, 3, 4}, {5, 6, 7, 8}});
    EXPECT_DOUBLE_EQ(summary.mean, 4.5);
    EXPECT_DOUBLE_EQ(summary.sd, std::sqrt(6.0));
    EXPECT_DOUBLE_EQ(summary.q5, 1.35);  // 1 + 0.05 * 7
    EXPECT_DOUBLE_EQ(summary.median, 4.5);
    EXPECT_DOUBLE_EQ(summary.q95, 7.65);
}

TEST(SampleDiagnostics, TheReportSaysWhatHasNotConverged) {
    SampleResult result;
    result.summaries = {{.r_hat = 1.005, .bulk_ess = 500, .tail_ess = 500}};
    result.hills.hills = {{.weight = 0.7, .weight_error = 0.1, .r_hat = 1.02},
                          {.weight = 0.3, .weight_error = 0.1, .r_hat = 1.02}};
    const auto says = [&](const char* words) {
        return report_text(result).find(words) != std::string::npos;
    };
    EXPECT_TRUE(says("do NOT agree on the hills"));
    result.summaries[0].bulk_ess = 300;
    EXPECT_TRUE(says("NOT converged (R-hat"));
    EXPECT_FALSE(says("on the hills"));
    result.converged = true;
    EXPECT_TRUE(says("(tail): converged"));
}

TEST(NormalQuantile, AgreesWithTables) {
    // By scipy.stats.norm.ppf of SciPy 1.15.
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
    EXPECT_NEAR(normal_quantile(0.3), -0.5244005127080409, 1e-14);
    EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
    EXPECT_EQ(normal_quantile(0.5), 0);
}

}  // namespace tessera::likelihood
