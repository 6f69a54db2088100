#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>

#include "kokkos_kernels/likelihood/compressed/problem.hpp"
#include "likelihood/compressed/axis.hpp"
#include "random_models.hpp"

namespace tessera::likelihood {
namespace {

using kernels::compressed::panel_size;

std::vector<double> sorted_points(test::RandomModels& random, int count) {
    std::vector<double> points;
    for (int i = 0; i < count; ++i) points.push_back(random.between(-1, 2));
    std::sort(points.begin(), points.end());
    return points;
}

class PanelTrees : public testing::TestWithParam<PanelCut> {};

TEST_P(PanelTrees, KeepMomentsUpToDegreeFifteenInEveryPanel) {
    test::RandomModels random(3);
    const std::vector<double> points = sorted_points(random, 700);
    std::vector<double> weights;
    for (double x : points) weights.push_back(1 + x * x);
    const PanelTree tree = make_panel_tree(points, weights, GetParam(), 12);
    for (int p = 1; p < tree.size; ++p) {
        if (tree.empty(p)) continue;
        const auto panel = static_cast<std::size_t>(p);
        for (int degree = 0; degree < panel_size; ++degree) {
            double nodes = 0, exact = 0, size = 0;
            for (std::size_t j = 0; j < panel_size; ++j)
                nodes += tree.weight[panel * panel_size + j] *
                         std::pow(tree.node[panel * panel_size + j], degree);
            for (auto i = static_cast<std::size_t>(tree.begin[panel]);
                 i < static_cast<std::size_t>(tree.end[panel]); ++i) {
                exact += weights[i] * std::pow(points[i], degree);
                size += weights[i] * std::pow(std::abs(points[i]), degree);
            }
            EXPECT_NEAR(nodes, exact, 1e-13 * size) << p << " degree " << degree;
        }
    }
}

TEST_P(PanelTrees, KeepThePointsOfSmallPanels) {
    test::RandomModels random(4);
    const std::vector<double> points = sorted_points(random, 100), weights(100, 0.5);
    const PanelTree tree = make_panel_tree(points, weights, GetParam(), 12);
    int kept = 0;
    for (int p = 1; p < tree.size; ++p) {
        const auto panel = static_cast<std::size_t>(p);
        const int count = tree.end[panel] - tree.begin[panel];
        EXPECT_EQ(tree.exact[panel] != 0, count <= panel_size);
        if (2 * p < tree.size || count == 0) continue;
        for (int j = 0; j < count; ++j) {
            const auto at = panel * panel_size + static_cast<std::size_t>(j);
            EXPECT_EQ(tree.node[at], points[static_cast<std::size_t>(tree.begin[panel] + j)]);
            EXPECT_EQ(tree.weight[at], 0.5);
            ++kept;
        }
    }
    EXPECT_GT(kept, 0);
}

INSTANTIATE_TEST_SUITE_P(Cuts, PanelTrees, testing::Values(PanelCut::middle, PanelCut::median));

}  // namespace
}  // namespace tessera::likelihood
