#include "docking/pairs/look_pause.hpp"

#include <gtest/gtest.h>

namespace tessera::docking {
namespace {

/// Looks of an idle rank in `seconds`, by a clock that goes on by a millisecond.
int looks_in(LookPause& pause, int seconds) {
    int looks = 0;
    for (int ms = 1; ms <= 1000 * seconds; ++ms) looks += pause.is_due(1000 + 1e-3 * ms) ? 1 : 0;
    return looks;
}

TEST(LookPause, FewRanksLookFiftyTimesASecond) {
    LookPause pause(8);
    const int looks = looks_in(pause, 10);  // the clock has steps of 1 ms, so a pause has 20 or 21
    EXPECT_GE(looks, 475);
    EXPECT_LE(looks, 501);
}

TEST(LookPause, ManyIdleRanksLeaveRankZeroItsTime) {
    constexpr int seconds = 100;
    for (const int ranks : {200, 1000, 5000}) {
        LookPause pause(ranks);
        const double share = looks_in(pause, seconds) * 14e-6 * ranks / seconds;
        EXPECT_LT(share, 0.06) << ranks;
        EXPECT_GT(share, 0.03) << ranks;
    }
}

TEST(LookPause, NoPauseIsLongerThanTwoSeconds) {
    LookPause pause(1'000'000);
    looks_in(pause, 100);
    EXPECT_TRUE(pause.is_due(1102.1));
}

TEST(LookPause, AfterWorkThePausesAreShortAgain) {
    LookPause pause(1000);
    looks_in(pause, 10);
    pause.restart();
    EXPECT_TRUE(pause.is_due(1010.03));
    EXPECT_FALSE(pause.is_due(1010.06));  // 40 ms
    EXPECT_TRUE(pause.is_due(1010.08));
}

}  // namespace
}  // namespace tessera::docking
