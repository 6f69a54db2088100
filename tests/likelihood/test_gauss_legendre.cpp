#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "likelihood/model/gauss_legendre.hpp"
#include "reference_case.hpp"

namespace tessera::likelihood {
namespace {

double moment(const QuadratureRule& rule, int power) {
    double sum = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
        sum += rule.weights[i] * std::pow(rule.nodes[i], power);
    return sum;
}

TEST(GaussLegendre, ThreePointsAreTheKnownOnes) {
    const QuadratureRule rule = gauss_legendre_rule(3);
    const double outer = std::sqrt(0.6), nodes[3] = {-outer, 0, outer};
    const double weights[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(rule.nodes[i], nodes[i], 1e-16);
        EXPECT_NEAR(rule.weights[i], weights[i], 2e-16);
    }
}

TEST(GaussLegendre, IntegratesPolynomialsUpToTheRulesDegreeAndNoFurther) {
    for (int n : {2, 7, 16, 40}) {
        const QuadratureRule rule = gauss_legendre_rule(n);
        for (int power = 0; power < 2 * n; ++power)
            EXPECT_NEAR(moment(rule, power), power % 2 ? 0 : 2.0 / (power + 1), 1e-15)
                << n << " points, x^" << power;
    }
    EXPECT_GT(std::abs(moment(gauss_legendre_rule(3), 6) - 2.0 / 7), 1e-2);
}

TEST(GaussLegendre, NodesAscendAndMirror) {
    for (const QuadratureRule& rule : {gauss_legendre_rule(120), milkyway_rule(120)})
        for (std::size_t i = 0; i < 120; ++i) {
            EXPECT_EQ(rule.nodes[i], -rule.nodes[119 - i]);
            EXPECT_EQ(rule.weights[i], rule.weights[119 - i]);
            if (i > 0) {
                EXPECT_LT(rule.nodes[i - 1], rule.nodes[i]);
            }
        }
}

TEST(GaussLegendre, TheApplicationsWeightsAreOffByAPartInABillionAndItsNodesAreNot) {
    const QuadratureRule app = milkyway_rule(120), exact = gauss_legendre_rule(120);
    double worst = 0;
    for (std::size_t i = 0; i < 120; ++i) {
        EXPECT_NEAR(app.nodes[i], exact.nodes[i], 3e-16);
        worst = std::max(worst, std::abs(app.weights[i] / exact.weights[i] - 1));
    }
    EXPECT_LT(worst, 1e-9);
    EXPECT_GT(worst, 1e-10);
}

TEST(GaussLegendre, TheApplicationsRuleAgreesWithItsOwnList) {
    const auto path = test::likelihood_folder() / "gauss_legendre_app.json";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "reference data missing: " << path;
    const nlohmann::json list = test::read_json(path);
    for (const char* points : {"40", "60", "120"}) {
        const QuadratureRule rule = milkyway_rule(std::stoi(points));
        for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
            const double node = test::number(list.at(points).at("nodes").at(i));
            const double weight = test::number(list.at(points).at("weights").at(i));
            EXPECT_NEAR(rule.nodes[i], node, 2e-16) << points << " nodes, " << i;
            EXPECT_NEAR(rule.weights[i], weight, 1e-14 * weight) << points << " nodes, " << i;
        }
    }
}

}  // namespace
}  // namespace tessera::likelihood
