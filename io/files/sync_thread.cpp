#include "io/files/sync_thread.hpp"

#include <utility>

namespace tessera::io {

SyncThread::SyncThread(std::chrono::milliseconds between, std::function<void()> sync)
    : between_(between),
      sync_(std::move(sync)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void SyncThread::rethrow_failure() {
    const std::lock_guard lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
}

void SyncThread::stop() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
}

void SyncThread::run(const std::stop_token& stop) {
    while (true) {
        {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, stop, between_, [] { return false; });
        }
        if (stop.stop_requested()) return;
        try {
            sync_();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            return;
        }
    }
}

}  // namespace tessera::io
