#include "io/text/counted.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "io/text/agreeing.hpp"

namespace {

using tessera::io::agreeing;
using tessera::io::counted;

TEST(Counted, OneThingOrSeveral) {
    EXPECT_EQ(counted(0, "star"), "0 stars");
    EXPECT_EQ(counted(1, "free parameter"), "1 free parameter");
    EXPECT_EQ(counted(std::int64_t{5'000'000'000}, "pose"), "5000000000 poses");
    EXPECT_EQ(counted(1U, "batch", "batches"), "1 batch");
    EXPECT_EQ(counted(2U, "batch", "batches"), "2 batches");
}

TEST(Counted, TheVerbAgrees) {
    EXPECT_EQ(agreeing(1, "lies", "lie"), "lies");
    EXPECT_EQ(agreeing(0, "lies", "lie"), "lie");
    EXPECT_EQ(agreeing(2U, "lies", "lie"), "lie");
}

}  // namespace
