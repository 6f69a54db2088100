#include "core/uniform_grid.hpp"

#include <gtest/gtest.h>

namespace {

TEST(UniformGrid, PointsAndSize) {
    const tessera::UniformGrid grid{{1, -2, 0.5}, {0.5, 2, 0.25}, {4, 5, 6}};
    EXPECT_EQ(grid.size(), 120);
    const tessera::Vec3 corner = grid.point(3, 4, 5);
    EXPECT_EQ(corner.x, 2.5);
    EXPECT_EQ(corner.y, 6.0);
    EXPECT_EQ(corner.z, 1.75);
    EXPECT_EQ(grid.point(0, 0, 0).z, 0.5);
}

TEST(UniformGrid, LargeGridsDoNotOverflow) {
    const tessera::UniformGrid grid{{}, {1, 1, 1}, {4096, 4096, 4096}};
    EXPECT_EQ(grid.size(), std::int64_t{1} << 36);
}

}  // namespace
