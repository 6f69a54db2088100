// Expected numbers without another source: mpmath, 40 digits, from the formulas of
// docs/method/likelihood.md.
#include <gtest/gtest.h>

#include <cmath>

#include "likelihood/model/radial_nodes.hpp"

namespace tessera::likelihood {
namespace {

using io::Model;
using io::Turnoff;

struct Node {
    double radius, weight, magnitude;
};

void expect_nodes(const RadialNodes& found, const std::vector<Node>& expected) {
    ASSERT_EQ(found.radius.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(found.radius[i], expected[i].radius, 1e-14 * expected[i].radius) << i;
        EXPECT_NEAR(found.weight[i], expected[i].weight, 3e-14 * expected[i].weight) << i;
        EXPECT_NEAR(found.magnitude[i], expected[i].magnitude, 1e-14 * expected[i].magnitude) << i;
    }
}

RadialNodes three_nodes(Model which, Turnoff turnoff, double kpc, double factor = 1) {
    io::StreamModel model;
    model.model = which;
    model.turnoff = turnoff;
    RadialNodes nodes;
    LineOfSight(model, gauss_legendre_rule(3)).append(kpc, factor, nodes);
    return nodes;
}

TEST(RadialNodes, ClassicConvolution) {
    expect_nodes(three_nodes(Model::classic, Turnoff::gaussian, 20.5),
                 {{10.786959797215980188, 0.0060584985457625543411, 19.364495300644101418},
                  {20.5, 0.99002120003398560226, 20.758769305278771496},
                  {38.959077246998069181, 0.28542618549793505766, 22.153043309913441575}});
}

TEST(RadialNodes, Convolution2018RunsTheOtherWayAndMirrorsTheMagnitude) {
    expect_nodes(three_nodes(Model::model2018, Turnoff::gaussian, 20.5),
                 {{38.959077246998069181, 0.15857010305440836537, 19.364495300644101418},
                  {20.5, 0.55001177779665866792, 20.758769305278771496},
                  {10.786959797215980188, 0.0033658325254236413006, 22.153043309913441575}});
}

TEST(RadialNodes, TwoSidedTurnoff) {
    expect_nodes(three_nodes(Model::model2018, Turnoff::newby2011, 20.5),
                 {{38.959077246998069181, 0.00078752846298235742718, 19.364495300644101418},
                  {20.5, 0.33191773119605504287, 20.758769305278771496},
                  {10.786959797215980188, 0.016697566669004737971, 22.153043309913441575}});
    expect_nodes(three_nodes(Model::model2018, Turnoff::newby2011, 9.25, 2),
                 {{17.579095830962543411, 2 * 0.001267136777327544089, 17.636434659060492953},
                  {9.25, 2 * 0.53405709636562224704, 19.030708663695163032},
                  {4.8672867377681861822, 2 * 0.010295359246442320955, 20.424982668329833111}});
}

TEST(RadialNodes, MagnitudeAndDistanceAreInverse) {
    EXPECT_NEAR(distance_of(14.2), 1, 1e-15);
    EXPECT_NEAR(distance_of(magnitude_at(23.4)), 23.4, 1e-13);
}

TEST(RadialNodes, AnAreaHoldsItsCellsInOrderWithTheirVolumes) {
    io::StreamModel model;
    const LineOfSight line(model, gauss_legendre_rule(4));
    const io::Area area{{16, 22.5, 4}, {310, 314, 2}, {-1, 1, 2}};
    const RadialNodes nodes = area_nodes(area, line);
    ASSERT_EQ(nodes.radius.size(), 16u);
    RadialNodes second;
    line.append(7.5373267993242673675, 11.147048198103678462, second);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(nodes.radius[4 + i], second.radius[i], 1e-14 * second.radius[i]);
        EXPECT_NEAR(nodes.weight[4 + i], second.weight[i], 3e-14 * second.weight[i]);
    }
}

}  // namespace
}  // namespace tessera::likelihood
