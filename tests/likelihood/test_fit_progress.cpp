#include <gtest/gtest.h>

#include <array>

#include "likelihood/fit/fit_progress.hpp"

namespace {

using tessera::likelihood::fraction_done;

const std::array<std::string, 4> stages{"search", "climb", "variation", "errors"};

TEST(FractionDone, StagesCountAlike) {
    EXPECT_DOUBLE_EQ(fraction_done(stages, "search", 0, 6), 0);
    EXPECT_DOUBLE_EQ(fraction_done(stages, "search", 3, 6), 0.125);
    EXPECT_DOUBLE_EQ(fraction_done(stages, "climb", 100, 400), 0.3125);
    EXPECT_DOUBLE_EQ(fraction_done(stages, "errors", 5, 5), 1);
}

TEST(FractionDone, StaysWithinItsStage) {
    EXPECT_DOUBLE_EQ(fraction_done(stages, "climb", 500, 400), 0.5);
    EXPECT_DOUBLE_EQ(fraction_done(stages, "variation", 1, 0), 0.5);
    EXPECT_DOUBLE_EQ(fraction_done(stages, "unheard of", 1, 2), 0);
}

}  // namespace
