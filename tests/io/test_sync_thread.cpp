#include "io/files/sync_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace tessera::io {
namespace {

using namespace std::chrono_literals;

void wait_until(const std::atomic<int>& calls, int count) {
    while (calls < count) std::this_thread::sleep_for(1ms);
}

TEST(SyncThread, CallsAgainAndAgainUntilItIsStopped) {
    std::atomic<int> calls = 0;
    SyncThread thread(1ms, [&] { ++calls; });
    wait_until(calls, 3);
    thread.stop();
    const int after = calls;
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(calls, after);
    EXPECT_NO_THROW(thread.rethrow_failure());
    thread.stop();
}

TEST(SyncThread, DoesNotWaitForTheNextCallToStop) {
    std::atomic<int> calls = 0;
    {
        const SyncThread thread(24h, [&] { ++calls; });
    }
    EXPECT_EQ(calls, 0);
}

TEST(SyncThread, AFailureIsKeptAndEndsTheCalls) {
    std::atomic<int> calls = 0;
    SyncThread thread(1ms, [&] {
        if (++calls == 2) throw std::runtime_error("no disk");
    });
    wait_until(calls, 2);
    thread.stop();  // so that the failure has been noted
    EXPECT_THROW(thread.rethrow_failure(), std::runtime_error);
    EXPECT_THROW(thread.rethrow_failure(), std::runtime_error) << "not only the first time";
    EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace tessera::io
