#include "io/text/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using tessera::io::Progress;
using tessera::io::ProgressOptions;

class ProgressTest : public testing::Test {
  protected:
    ProgressOptions options(int terminal) {
        ProgressOptions options;
        options.stream = &out;
        options.terminal = terminal;
        options.clock = [this] { return now; };
        return options;
    }
    /// What has been printed since the last call.
    std::string printed() {
        const std::string text = out.str();
        out.str("");
        return text;
    }

    std::ostringstream out;
    std::chrono::steady_clock::time_point now{seconds(1000)};
};

TEST_F(ProgressTest, ALogGetsALineAMinute) {
    Progress progress("docking", 1200, options(0));
    EXPECT_EQ(printed(), "docking: 1200 tiles\n");
    for (int second = 1; second < 60; ++second) {
        now += seconds(1);
        progress.update(second * 5);
    }
    EXPECT_EQ(printed(), "");
    now += seconds(1);
    progress.update(300);  // 5 a second, 900 left
    EXPECT_EQ(printed(), "docking: 300/1200 tiles, 5.00 tiles/s, 3 min 00 s left\n");
    now += seconds(180);
    progress.finish();
    EXPECT_EQ(printed(), "docking: done, 4 min 00 s, 5.00 tiles/s\n");
    progress.finish();
    progress.update(1200);
    EXPECT_EQ(printed(), "");
}

TEST_F(ProgressTest, OneTileIsNoPlural) {
    const Progress progress("orbitals", 1, options(0));
    EXPECT_EQ(printed(), "orbitals: 1 tile\n");
}

TEST_F(ProgressTest, ResumedTilesDoNotCountForTheRate) {
    ProgressOptions resumed = options(0);
    resumed.already_done = 100;
    resumed.unit = "rotations";
    Progress progress("docking", 200, resumed);
    EXPECT_EQ(printed(), "docking: 200 rotations, 100 of them done before\n");
    now += seconds(60);
    progress.update(130);  // 30 a minute, 70 left
    EXPECT_EQ(printed(), "docking: 130/200 rotations, 0.500 rotations/s, 2 min 20 s left\n");
}

TEST_F(ProgressTest, ABarIsRedrawnAtMostTenTimesASecond) {
    {
        Progress progress("docking", 1000, options(1));
        EXPECT_EQ(printed(), "\rdocking [" + std::string(30, ' ') + "] 0/1000 tiles");
        int drawn = 0;
        for (int i = 1; i <= 500; ++i) {
            now += milliseconds(2);
            progress.update(i);
            if (!printed().empty()) ++drawn;
        }
        EXPECT_GE(drawn, 9);
        EXPECT_LE(drawn, 10);
        now += milliseconds(1000);
        progress.update(500);
        EXPECT_EQ(printed().substr(0, 56),
                  "\rdocking [" + std::string(15, '=') + std::string(15, ' ') + "] 500/1000 tiles");
        progress.finish();
        const std::string last = printed();
        EXPECT_NE(last.find(std::string(30, '=') + "] 1000/1000 tiles, 500 tiles/s, 2.00 s"),
                  std::string::npos)
            << last;
        EXPECT_EQ(last.back(), '\n');
    }
    EXPECT_EQ(printed(), "");
}

TEST_F(ProgressTest, AnUnfinishedBarEndsItsLine) {
    { Progress progress("docking", 10, options(1)); }
    EXPECT_EQ(printed().back(), '\n');
}

TEST_F(ProgressTest, QuietIsQuiet) {
    ProgressOptions quiet = options(1);
    quiet.quiet = true;
    {
        Progress progress("docking", 10, quiet);
        now += seconds(1);
        progress.update(5);
        progress.finish();
    }
    EXPECT_EQ(printed(), "");
}

TEST_F(ProgressTest, NothingToDo) {
    Progress progress("docking", 0, options(1));
    progress.finish();
    EXPECT_NE(printed().find("0/0 tiles"), std::string::npos);
}

TEST(Duration, IsReadable) {
    EXPECT_EQ(Progress::duration(0.1234), "0.123 s");
    EXPECT_EQ(Progress::duration(59.4), "59.0 s");
    EXPECT_EQ(Progress::duration(65), "1 min 05 s");
    EXPECT_EQ(Progress::duration(3600 * 2 + 60 * 3), "2 h 03 min");
    EXPECT_EQ(Progress::duration(86400 * 3 + 3600 * 4), "3 d 04 h");
}

}  // namespace
