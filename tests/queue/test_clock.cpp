#include "queue/clock.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"

namespace {

using namespace tessera::queue;

TEST(QueueClock, ReadsTimesFromNowOn) {
    EXPECT_EQ(read_time("+90s", 1000), 1090);
    EXPECT_EQ(read_time("+1.5m", 1000), 1090);
    EXPECT_EQ(read_time("+2h", 1000), 8200);
    EXPECT_EQ(read_time("+3d", 1000), 1000 + 3 * 86400);
}

TEST(QueueClock, ReadsWhatItWrites) {
    for (const double time : {1764230400.0, 1782518399.0})
        EXPECT_EQ(read_time(time_text(time), 0), time);
    EXPECT_EQ(read_time("2026-11-27 08:00", 0), read_time("2026-11-27T08:00:00", 0));
    EXPECT_EQ(read_time("2026-11-27 08:00:07", 0) - read_time("2026-11-27T08:00", 0), 7);
}

TEST(QueueClock, RefusesEverythingElse) {
    for (const char* text : {"", "+", "+h", "+2", "+2w", "+-1h", "+nanh", "+1e300d", "tomorrow",
                             "8:00", "2026-02-30 10:00", "2026-13-01 10:00", "2026-11-27 25:00",
                             "2026-11-27 08:00 CET", "2026-11-27"})
        EXPECT_THROW(read_time(text, 0), tessera::Error) << text;
}

TEST(QueueClock, WritesLengthsOfTime) {
    EXPECT_EQ(duration_text(59.4), "59s");
    EXPECT_EQ(duration_text(59.6), "1m 00s");
    EXPECT_EQ(duration_text(3725), "1h 02m");
    EXPECT_EQ(duration_text(90000), "1d 01h");
}

}  // namespace
