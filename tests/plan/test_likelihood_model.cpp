#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "plan/likelihood_model.hpp"

namespace tessera::plan {
namespace {

using kernels::Backend;
using kernels::Precision;

using likelihood::StreamModel;

/// Cores with two 256-bit multiply-adds a cycle at 3 GHz.
DeviceDescription host(int cores) {
    DeviceDescription device;
    device.threads = cores;
    device.fp64_flops = 48e9 * cores;
    device.fp32_flops = 96e9 * cores;
    return device;
}

/// 700 x 800 x 320 cells, 120 nodes: 2.15e10 points.
StreamModel full_wedge(int streams) {
    StreamModel model;
    model.model = io::Model::model2018;
    model.streams.resize(static_cast<std::size_t>(streams));
    model.areas = {{{16, 22.5, 700}, {350, 400, 800}, {-1.25, 1.25, 320}}};
    return model;
}

TEST(LikelihoodModel, CountsPointsOfAllAreas) {
    StreamModel model = full_wedge(2);
    model.areas.push_back({{16, 20, 10}, {360, 361, 5}, {0, 1, 3}});
    const EvaluationSize size = evaluation_size(model, 1000);
    EXPECT_EQ(size.points, 120.0 * (700.0 * 800 * 320 + 10 * 5 * 3));
    EXPECT_EQ(size.stars, 1000);
    EXPECT_EQ(size.disks, 1);
    model.model = io::Model::classic;
    EXPECT_EQ(evaluation_size(model, 1000).disks, 0);
}

TEST(LikelihoodModel, AFullWedgeTakesAboutAMinuteOfACoreAndATenthOfASecondOfAnH200) {
    // One core took 3.4 ns a point.
    const EvaluationSize size = evaluation_size(full_wedge(4), 38000);
    const double core = exact_seconds(host(1), size, Precision::double_precision);
    EXPECT_NEAR(core / (3.4e-9 * size.points), 1, 0.25);
    const double gpu =
        exact_seconds(require_known_gpu("NVIDIA H200"), size, Precision::double_precision);
    EXPECT_GT(gpu, 0.05);
    EXPECT_LT(gpu, 0.19);
    EXPECT_LT(compressed_seconds(host(1), size).value, core / 500);
}

TEST(LikelihoodModel, MoreCoresAndFewerStreamsTakeLessTime) {
    const EvaluationSize many = evaluation_size(full_wedge(4), 1000);
    const EvaluationSize few = evaluation_size(full_wedge(1), 1000);
    const DeviceDescription one = host(1), eight = host(8);
    for (const Precision precision : {Precision::double_precision, Precision::single_compensated}) {
        EXPECT_NEAR(exact_seconds(one, many, precision) / exact_seconds(eight, many, precision), 8,
                    1e-9);
        EXPECT_LT(exact_seconds(one, few, precision), exact_seconds(one, many, precision));
    }
    EXPECT_LT(compressed_seconds(one, few).value, compressed_seconds(one, many).value);
}

TEST(LikelihoodModel, PrecisionFollowsTheWantedErrorAndTheCard) {
    const EvaluationSize size = evaluation_size(full_wedge(4), 38000);
    const std::vector<DeviceDescription> gaming{require_known_gpu("NVIDIA GeForce RTX 4090")};
    EXPECT_EQ(choose_evaluation(gaming, size, 1e-12).precision, Precision::double_precision);
    EXPECT_EQ(choose_evaluation(gaming, size, 1e-7).precision, Precision::single_compensated);
    const std::vector<DeviceDescription> both{host(64), require_known_gpu("NVIDIA H200")};
    EXPECT_EQ(choose_evaluation(both, size, 1e-12).device.backend, Backend::cuda);
    // A card with hardly any double precision loses to many cores.
    const std::vector<DeviceDescription> weak{host(64), gaming[0]};
    EXPECT_EQ(choose_evaluation(weak, size, 1e-12).device.backend, Backend::openmp);
    EXPECT_EQ(choose_evaluation(weak, size, 1e-7).device.backend, Backend::cuda);
}

/// docs/method/benchmarks.md: integrals of "south" and "north" on an H200.
TEST(LikelihoodModel, MeetsWhatAnH200Took) {
    const DeviceDescription gpu = require_known_gpu("H200");
    EvaluationSize south = evaluation_size(full_wedge(4), 38000);
    EvaluationSize north = evaluation_size(full_wedge(2), 106000);
    north.disks = 0;
    EXPECT_NEAR(compressed_seconds(gpu, south).value, 0.342e-3, 0.03e-3);
    EXPECT_NEAR(compressed_seconds(gpu, south).value_of_many, 0.232e-3, 0.02e-3);
    EXPECT_NEAR(compressed_seconds(gpu, south).gradient, 0.511e-3, 0.08e-3);
    EXPECT_NEAR(compressed_seconds(gpu, north).value, 0.379e-3, 0.03e-3);
    EXPECT_NEAR(compressed_seconds(gpu, north).gradient, 0.493e-3, 0.08e-3);
    south.stars = north.stars = 0;
    EXPECT_NEAR(exact_seconds(gpu, south, Precision::double_precision), 0.098, 0.01);
    EXPECT_NEAR(exact_seconds(gpu, north, Precision::double_precision), 0.0425, 0.005);
    EXPECT_NEAR(exact_seconds(gpu, south, Precision::single_compensated), 0.0638, 0.007);
    EXPECT_NEAR(exact_seconds(gpu, north, Precision::single_compensated), 0.0324, 0.004);
}

TEST(LikelihoodModel, NeedsADevice) { EXPECT_THROW(choose_evaluation({}, {}, 1e-12), Error); }

}  // namespace
}  // namespace tessera::plan
