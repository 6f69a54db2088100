#include "core/stop_flag.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace {

using tessera::StopFlag;

TEST(StopFlag, SignalsSetItAndTheFirstIsRemembered) {
    for (const int signal : {SIGTERM, SIGUSR1, SIGINT}) {
        const StopFlag stop;
        EXPECT_FALSE(stop.is_set());
        raise(signal);
        EXPECT_TRUE(stop.is_set());
        EXPECT_TRUE(stop.flag().load());
        raise(SIGTERM);
        EXPECT_EQ(stop.signal_number(), signal);
    }
}

int handled = 0;

TEST(StopFlag, PutsFormerHandlersBack) {
    const auto former = signal(SIGUSR1, [](int) { ++handled; });
    {
        const StopFlag stop;
        raise(SIGUSR1);
        EXPECT_EQ(handled, 0);
    }
    raise(SIGUSR1);
    EXPECT_EQ(handled, 1);
    signal(SIGUSR1, former);
}

TEST(StopFlag, ListensAgainWhereALibraryHasTakenASignal) {
    const auto former = signal(SIGUSR1, SIG_DFL);
    {
        const StopFlag stop;
        signal(SIGUSR1, SIG_IGN);
        stop.listen_again();
        raise(SIGUSR1);
        EXPECT_EQ(stop.signal_number(), SIGUSR1);
        stop.listen_again();
    }
    EXPECT_EQ(signal(SIGUSR1, former), SIG_DFL);
}

TEST(StopFlagDeathTest, AProgramThatIsLetGoDiesOfTheSignalThatCameMeanwhile) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto stopped_meanwhile = [] {
        auto stop = std::make_unique<StopFlag>();
        raise(SIGTERM);
        tessera::let_go(std::move(stop));
    };
    EXPECT_EXIT(stopped_meanwhile(), testing::KilledBySignal(SIGTERM), "");
    const auto stopped_later = [] {
        tessera::let_go(std::make_unique<StopFlag>());
        raise(SIGUSR1);
    };
    EXPECT_EXIT(stopped_later(), testing::KilledBySignal(SIGUSR1), "");
}

TEST(StopFlagDeathTest, ASecondInterruptEndsTheProgram) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto interrupt_twice = [] {
        const StopFlag stop;
        raise(SIGINT);
        raise(SIGINT);
    };
    EXPECT_EXIT(interrupt_twice(), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
