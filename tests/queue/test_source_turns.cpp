#include "queue/source_turns.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace {

using namespace tessera::queue;
using Sources = std::vector<Source>;

std::optional<double> a_is_owed_more(const std::string& project) { return project == "a" ? 5 : -5; }

TEST(SourceTurns, AsksTheProjectWithTheGreatestDebt) {
    const SourceTurns turns(Sources{{"b", "x"}, {"a", "y"}});
    EXPECT_EQ(turns.next(a_is_owed_more, 0), 1);
    EXPECT_EQ(turns.next([](const std::string&) { return 0.0; }, 0), 0);
    EXPECT_FALSE(turns.next([](const std::string&) { return std::nullopt; }, 0));
}

TEST(SourceTurns, LeavesOutAProjectWithoutJobsForLongerAndLonger) {
    SourceTurns turns(Sources{{"a", "x"}});
    double now = 1000;
    for (const double wait : {60.0, 120.0, 240.0}) {
        turns.note(0, false, now);
        EXPECT_FALSE(turns.next(a_is_owed_more, now + wait - 1));
        EXPECT_EQ(turns.next(a_is_owed_more, now + wait), 0);
        now += wait;
    }
    for (int i = 0; i < 20; ++i) turns.note(0, false, now);
    EXPECT_FALSE(turns.next(a_is_owed_more, now + 4 * 3600 - 1));
    EXPECT_EQ(turns.next(a_is_owed_more, now + 4 * 3600), 0);
    turns.note(0, true, now);
    EXPECT_EQ(turns.next(a_is_owed_more, now), 0);
    turns.note(0, false, now);
    EXPECT_EQ(turns.next(a_is_owed_more, now + 60), 0);
}

TEST(SourceTurns, AsksTheNextProjectMeanwhile) {
    SourceTurns turns(Sources{{"a", "x"}, {"b", "y"}});
    turns.note(0, false, 0);
    EXPECT_EQ(turns.next(a_is_owed_more, 1), 1);
}

TEST(SourceTurns, AreDryWhenAllWereAskedInVain) {
    EXPECT_TRUE(SourceTurns(Sources{}).all_are_dry());
    SourceTurns turns(Sources{{"a", "x"}, {"b", "y"}});
    EXPECT_FALSE(turns.all_are_dry());
    turns.note(0, false, 0);
    EXPECT_FALSE(turns.all_are_dry());
    turns.note(1, false, 0);
    EXPECT_TRUE(turns.all_are_dry());
    turns.note(0, true, 100);
    EXPECT_FALSE(turns.all_are_dry());
}

TEST(SourceTurns, AreReadFromTheCommandLine) {
    const Source source = read_source("stars=./more --name=x");
    EXPECT_EQ(source.project, "stars");
    EXPECT_EQ(source.command, "./more --name=x");
    for (const char* wrong : {"", "stars", "=x", "stars="})
        EXPECT_THROW(read_source(wrong), tessera::Error) << wrong;
}

}  // namespace
