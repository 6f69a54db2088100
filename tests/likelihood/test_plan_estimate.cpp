#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "likelihood/plan_estimate.hpp"

namespace tessera::likelihood {
namespace {

using kernels::Backend;
using kernels::Precision;

DeviceRates rates(Backend backend, const char* name, int threads = 1) {
    kernels::DeviceInfo info;
    info.backend = backend;
    info.name = name;
    info.threads = threads;
    return known_rates(info).value();
}

/// 700 x 800 x 320 cells, 120 nodes: 2.15e10 points.
StreamModel full_wedge(int streams) {
    StreamModel model;
    model.model = io::Model::model2018;
    model.streams.resize(static_cast<std::size_t>(streams));
    model.areas = {{{16, 22.5, 700}, {350, 400, 800}, {-1.25, 1.25, 320}}};
    return model;
}

TEST(PlanEstimate, CountsPointsOfAllAreas) {
    StreamModel model = full_wedge(2);
    model.areas.push_back({{16, 20, 10}, {360, 361, 5}, {0, 1, 3}});
    const EvaluationSize size = evaluation_size(model, 1000);
    EXPECT_EQ(size.points, 120.0 * (700.0 * 800 * 320 + 10 * 5 * 3));
    EXPECT_EQ(size.stars, 1000);
    EXPECT_TRUE(size.disk);
    model.model = io::Model::classic;
    EXPECT_FALSE(evaluation_size(model, 1000).disk);
}

TEST(PlanEstimate, AFullWedgeTakesAboutAMinuteOfACoreAndATenthOfASecondOfAnH200) {
    // One core took 3.4 ns a point.
    const EvaluationSize size = evaluation_size(full_wedge(4), 38000);
    const double core =
        exact_seconds(rates(Backend::serial, "a core"), size, Precision::double_precision);
    EXPECT_NEAR(core / (3.4e-9 * size.points), 1, 0.25);
    const double gpu =
        exact_seconds(rates(Backend::cuda, "NVIDIA H200"), size, Precision::double_precision);
    EXPECT_GT(gpu, 0.05);
    EXPECT_LT(gpu, 0.19);
    EXPECT_LT(compressed_seconds(rates(Backend::serial, "a core"), size), core / 500);
}

TEST(PlanEstimate, MoreCoresAndFewerStreamsTakeLessTime) {
    const EvaluationSize many = evaluation_size(full_wedge(4), 1000);
    const EvaluationSize few = evaluation_size(full_wedge(1), 1000);
    const DeviceRates one = rates(Backend::openmp, "cpu", 1),
                      eight = rates(Backend::openmp, "cpu", 8);
    for (const Precision precision : {Precision::double_precision, Precision::single_compensated}) {
        EXPECT_NEAR(exact_seconds(one, many, precision) / exact_seconds(eight, many, precision), 8,
                    1e-9);
        EXPECT_LT(exact_seconds(one, few, precision), exact_seconds(one, many, precision));
    }
    EXPECT_LT(compressed_seconds(one, few), compressed_seconds(one, many));
}

TEST(PlanEstimate, PrecisionFollowsTheWantedErrorAndTheCard) {
    const EvaluationSize size = evaluation_size(full_wedge(4), 38000);
    const std::vector<DeviceRates> gaming{rates(Backend::cuda, "NVIDIA GeForce RTX 4090")};
    EXPECT_EQ(plan_evaluation(gaming, size, 1e-12).precision, Precision::double_precision);
    EXPECT_EQ(plan_evaluation(gaming, size, 1e-7).precision, Precision::single_compensated);
    const std::vector<DeviceRates> both{rates(Backend::openmp, "cpu", 64),
                                        rates(Backend::cuda, "NVIDIA H200")};
    EXPECT_EQ(plan_evaluation(both, size, 1e-12).device.backend, Backend::cuda);
    // A card with hardly any double precision loses to many cores.
    const std::vector<DeviceRates> weak{rates(Backend::openmp, "cpu", 64), gaming[0]};
    EXPECT_EQ(plan_evaluation(weak, size, 1e-12).device.backend, Backend::openmp);
    EXPECT_EQ(plan_evaluation(weak, size, 1e-7).device.backend, Backend::cuda);
}

TEST(PlanEstimate, SaysWhatItDoesNotKnow) {
    kernels::DeviceInfo info;
    info.backend = Backend::cuda;
    info.name = "some other card";
    EXPECT_FALSE(known_rates(info).has_value());
    EXPECT_THROW(plan_evaluation({}, {}, 1e-12), Error);
}

}  // namespace
}  // namespace tessera::likelihood
