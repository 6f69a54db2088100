// Nodes in the order of their radius, against the library's stable sort.
#include <gtest/gtest.h>

#include <cmath>

#include "kokkos_kernels/likelihood/exact/radial_segments.hpp"

namespace tessera::kernels {
namespace {

/// Weights tell equal radii apart.
AreaTables area_of(std::vector<double> radius) {
    AreaTables area;
    area.radius = std::move(radius);
    for (std::size_t i = 0; i < area.radius.size(); ++i)
        area.weight.push_back(static_cast<double>(i));
    return area;
}

void expect_stable_order(const std::vector<double>& radius) {
    std::vector<RadialNode> expected;
    for (const double r : radius) expected.push_back({r, static_cast<double>(expected.size())});
    std::ranges::stable_sort(expected, {}, &RadialNode::radius);
    const std::vector<RadialNode> found = by_radius(area_of(radius));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].radius, expected[i].radius) << i;
        ASSERT_EQ(found[i].weight, expected[i].weight) << i;
    }
}

}  // namespace

TEST(RadialSegments, NodesOfAWedgeAreSorted) {
    std::vector<double> radius;
    for (int cell = 0; cell < 90; ++cell)
        for (int node = 0; node < 40; ++node)
            radius.push_back(std::pow(10, 0.4 + 0.015 * cell + 0.36 * std::cos(0.08 * node)));
    expect_stable_order(radius);
}

TEST(RadialSegments, EqualRadiiKeepTheirOrder) {
    expect_stable_order({3, 2, 3, 1, 2, 3, 3, 1});
    expect_stable_order(std::vector<double>(1000, 7.5));
}

TEST(RadialSegments, RadiiOfAllSizesAreSorted) {
    std::vector<double> radius{1e-300, 1e300, 1, std::nextafter(1.0, 2.0), 5e-324, 1};
    for (int i = 0; i < 500; ++i) radius.push_back(20 + std::sin(i));  // all in one bucket
    expect_stable_order(radius);
    expect_stable_order({4});
    expect_stable_order({});
}

}  // namespace tessera::kernels
