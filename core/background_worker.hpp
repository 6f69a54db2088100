// A thread that runs tasks one after another while its owner computes.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace tessera {

class BackgroundWorker {
  public:
    BackgroundWorker() : thread_([this] { loop(); }) {}

    /// Waits until all tasks are done.
    ~BackgroundWorker() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

    BackgroundWorker(const BackgroundWorker&) = delete;
    BackgroundWorker& operator=(const BackgroundWorker&) = delete;

    /// Queues `work` behind all earlier tasks. The future holds what `work` returns or throws.
    template <class Work>
    auto run(Work work) -> std::future<std::invoke_result_t<Work&>> {
        using Result = std::invoke_result_t<Work&>;
        auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
        auto result = task->get_future();
        {
            const std::lock_guard lock(mutex_);
            tasks_.push_back([task] { (*task)(); });
        }
        changed_.notify_one();
        return result;
    }

  private:
    void loop() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
            if (tasks_.empty()) return;
            const std::function<void()> task = std::move(tasks_.front());
            tasks_.pop_front();
            lock.unlock();
            task();
            lock.lock();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    bool ending_ = false;
    std::thread thread_;  // declared last, because it uses the other members
};

}  // namespace tessera
