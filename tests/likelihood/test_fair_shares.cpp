#include <gtest/gtest.h>

#include <numeric>

#include "likelihood/fit/fair_shares.hpp"

namespace tessera::likelihood {
namespace {

using Shares = std::vector<std::int64_t>;

/// Batches of `points` that take each rank so many seconds a point and `start` seconds a batch.
Shares after(int batches, std::int64_t points, const std::vector<double>& point_seconds,
             double start = 0) {
    FairShares shares(static_cast<int>(point_seconds.size()));
    for (int batch = 0; batch < batches; ++batch) {
        const Shares now = shares.of(points);
        for (std::size_t rank = 0; rank < now.size(); ++rank)
            shares.took(static_cast<int>(rank), now[rank],
                        start + static_cast<double>(now[rank]) * point_seconds[rank]);
    }
    return shares.of(points);
}

TEST(FairShares, EqualAtFirst) {
    EXPECT_EQ(FairShares(3).of(7), (Shares{3, 2, 2}));
    EXPECT_EQ(FairShares(3).of(2), (Shares{1, 1, 0}));
    EXPECT_EQ(FairShares(2).of(0), (Shares{0, 0}));
}

TEST(FairShares, ASlowRankGetsWhatItDoesInTheSameTime) {
    EXPECT_EQ(after(1, 90, {1e-3, 4e-3, 1e-3}), (Shares{40, 10, 40}));
    EXPECT_EQ(after(20, 90, {1e-3, 4e-3, 1e-3}), (Shares{40, 10, 40}));
}

TEST(FairShares, RanksThatNeedTimeForABatchStayEqual) {
    EXPECT_EQ(after(200, 40, {1e-6, 1e-6}, 1e-3), (Shares{20, 20}));
    const Shares uneven = after(200, 100, {1e-5, 2e-5}, 1e-4);  // the same time for both
    EXPECT_NEAR(static_cast<double>(uneven[0]), 67, 2);
}

TEST(FairShares, ARankThatWasSlowOnceComesBack) {
    FairShares shares(2);
    shares.took(0, 1, 1);
    shares.took(1, 1, 20);
    EXPECT_EQ(shares.of(2), (Shares{2, 0}));
    for (int batch = 0; batch < 300; ++batch) {
        const Shares now = shares.of(2);
        for (int rank = 0; rank < 2; ++rank)
            shares.took(rank, now[static_cast<std::size_t>(rank)],
                        static_cast<double>(now[static_cast<std::size_t>(rank)]));
    }
    EXPECT_EQ(shares.of(2), (Shares{1, 1}));
}

TEST(FairShares, ARankThatIsOutGetsNothing) {
    FairShares shares(3);
    shares.leave_out(1);
    EXPECT_FALSE(shares.has(1));
    EXPECT_EQ(shares.of(4), (Shares{2, 0, 2}));
    shares.took(1, 0, 0);
    EXPECT_EQ(shares.of(5), (Shares{3, 0, 2}));
}

}  // namespace
}  // namespace tessera::likelihood
