#include "core/background_worker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace {

using tessera::BackgroundWorker;

TEST(BackgroundWorker, DoesEverythingInOrderInAnotherThread) {
    BackgroundWorker worker;
    std::vector<int> order;
    std::vector<std::future<std::thread::id>> threads;
    for (int i = 0; i < 100; ++i)
        threads.push_back(worker.run([&order, i] {
            order.push_back(i);
            return std::this_thread::get_id();
        }));
    const auto first = threads.front().get();
    EXPECT_NE(first, std::this_thread::get_id());
    for (std::size_t i = 1; i < threads.size(); ++i) EXPECT_EQ(threads[i].get(), first);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order.at(static_cast<std::size_t>(i)), i);
}

TEST(BackgroundWorker, AnExceptionComesOutOfItsOwnFuture) {
    BackgroundWorker worker;
    auto broken = worker.run([]() -> int { throw std::runtime_error("broken"); });
    auto whole = worker.run([] { return 7; });
    EXPECT_THROW(broken.get(), std::runtime_error);
    EXPECT_EQ(whole.get(), 7);
}

TEST(BackgroundWorker, FinishesWhatWasAskedForBeforeItEnds) {
    std::atomic<int> done = 0;
    {
        BackgroundWorker worker;
        for (int i = 0; i < 50; ++i) worker.run([&done] { ++done; });
    }
    EXPECT_EQ(done, 50);
}

}  // namespace
