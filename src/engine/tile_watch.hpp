// Ends a run that is stuck, where ranks do not look after each other's tiles as those of
// NodeTileIterator do: dock --pairs and fit.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/tile_deadline.hpp"

namespace tessera {

/// While it lives a thread watches the work of this process's device. Once a piece of it is late,
/// and the time until a run counts as stuck has passed on top, the process ends with exit code 75,
/// and the run with it.
class TileWatch {
  public:
    /// `where`: "rank 3 on n12". Watches nothing where the deadline is off. One at a time.
    TileWatch(const TileDeadline& deadline, std::string where)
        : deadline_(deadline), where_(std::move(where)) {
        if (!deadline_.is_on()) return;
        present() = this;
        thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
    }
    ~TileWatch() { present() = nullptr; }
    TileWatch(const TileWatch&) = delete;
    TileWatch& operator=(const TileWatch&) = delete;

    /// A piece of work from here to its end; those of one kind take about as long. Does nothing
    /// where there is no watch, and within another piece.
    class Work {
      public:
        Work(std::size_t kind, const std::string& name) {
            if (present() && present()->begin(kind, name)) watch_ = present();
        }
        ~Work() {
            if (watch_) watch_->end();
        }
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

      private:
        TileWatch* watch_ = nullptr;
    };

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr auto between_looks = std::chrono::milliseconds(100);
    static constexpr std::size_t kinds = 8;

    static TileWatch*& present() {
        static TileWatch* watch = nullptr;
        return watch;
    }

    bool begin(std::size_t kind, const std::string& name) {
        const std::lock_guard lock(mutex_);
        if (times_of_kind_) return false;
        times_of_kind_ = &times_.at(kind);
        name_ = name;
        begun_ = Clock::now();
        limit_ = times_of_kind_->limit(deadline_) + deadline_.stuck_after;
        return true;
    }
    void end() {
        const std::lock_guard lock(mutex_);
        times_of_kind_->add(seconds());
        times_of_kind_ = nullptr;
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

    void watch(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            if (times_of_kind_ && seconds() > limit_) {
                say_stuck(name_ + " of " + where_, seconds());
                end_stuck_process();
            }
            wake_.wait_for(lock, stop, between_looks, [] { return false; });
        }
    }

    const TileDeadline deadline_;
    const std::string where_;
    std::mutex mutex_;  ///< of what follows
    std::array<TileTimes, kinds> times_;
    TileTimes* times_of_kind_ = nullptr;  ///< of the work at hand; null: there is none
    std::string name_;
    Clock::time_point begun_;
    double limit_ = 0;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace tessera
