// A thread that brings a growing file to the disk now and then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tessera::io {

/// Calls `sync` in its own thread, `between` after the last call has ended, until stop() or until
/// `sync` throws.
class SyncThread {
  public:
    SyncThread(std::chrono::milliseconds between, std::function<void()> sync);
    /// Stops.
    ~SyncThread() { stop(); }
    SyncThread(const SyncThread&) = delete;
    SyncThread& operator=(const SyncThread&) = delete;

    /// Throws what a call has thrown, if one has.
    void rethrow_failure();
    /// Returns when no call is running, and none will be made. May be called again.
    void stop();

  private:
    void run(const std::stop_token& stop);

    std::chrono::milliseconds between_;
    std::function<void()> sync_;
    std::exception_ptr failure_;
    std::mutex mutex_;  ///< guards the failure
    std::condition_variable_any wake_;
    std::jthread thread_;  // last, because it uses the members above
};

}  // namespace tessera::io
