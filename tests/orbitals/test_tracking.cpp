#include "orbitals/selection/tracking.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace {

using namespace tessera;
using namespace tessera::orbitals;

/// Orbitals over three s functions; with S = 1 their overlaps are scalar products.
io::Wavefunction of_rows(const std::vector<std::vector<double>>& rows,
                         const std::vector<io::Spin>& spins = {}) {
    io::Wavefunction w;
    w.path = "frame";
    w.shells.assign(3, io::BasisShell{0, 0, false, {1.0}, {1.0}});
    for (std::size_t i = 0; i < rows.size(); ++i)
        w.orbitals.push_back({"A", 0, 0, spins.empty() ? io::Spin::alpha : spins[i], rows[i]});
    return w;
}

const std::vector<double> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST(Tracking, FollowsSwapsAndSigns) {
    const auto before = of_rows({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    const auto now = of_rows({{0.1, -0.99, 0}, {0.99, 0.1, 0}, {0, 0, -1}});
    const auto items = track(before, {{0}, {1}, {2, -1}, {0}}, now, identity);
    ASSERT_EQ(items.size(), 4u);
    EXPECT_EQ(items[0].orbital, 1);
    EXPECT_EQ(items[0].sign, 1);
    EXPECT_NEAR(items[0].overlap, 0.99, 1e-15);
    EXPECT_EQ(items[1].orbital, 0);
    EXPECT_EQ(items[1].sign, -1);
    // The third was shown with its sign turned: turned again, it is as in the file.
    EXPECT_EQ(items[2].orbital, 2);
    EXPECT_EQ(items[2].sign, 1);
    EXPECT_EQ(items[3].orbital, items[0].orbital);
}

TEST(Tracking, EachOrbitalIsGivenAwayOnceTheLargestOverlapFirst) {
    const auto before = of_rows({{1, 0, 0}, {0, 1, 0}});
    // Both lean towards the first; the second does so more.
    const auto now = of_rows({{0.6, 0.8, 0}, {0.5, 0.1, 0.86}});
    const auto items = track(before, {{0}, {1}}, now, identity);
    EXPECT_EQ(items[1].orbital, 0);
    EXPECT_EQ(items[0].orbital, 1);
    EXPECT_NEAR(items[0].overlap, 0.5, 1e-15);
}

TEST(Tracking, SpinIsKeptAndTheMetricCounts) {
    using io::Spin;
    const auto before = of_rows({{1, 0, 0}}, {Spin::beta});
    const auto now = of_rows({{1, 0, 0}, {0, 1, 0}}, {Spin::alpha, Spin::beta});
    std::vector<double> overlap = identity;
    overlap[1] = -0.3;
    const auto items = track(before, {{0}}, now, overlap);
    EXPECT_EQ(items[0].orbital, 1);
    EXPECT_EQ(items[0].sign, -1);
    EXPECT_NEAR(items[0].overlap, 0.3, 1e-15);
    EXPECT_THROW(track(before, {{0}}, of_rows({{1, 0, 0}}), identity), Error);
}

}  // namespace
