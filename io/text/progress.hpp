// The progress of a run: a bar on a terminal, or a line now and then in a log.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

namespace tessera::io {

struct ProgressOptions {
    bool quiet = false;             ///< print nothing
    std::string unit = "tiles";     ///< what is counted
    std::int64_t already_done = 0;  ///< done by an earlier run; not counted in the rate
    std::int64_t devices = 1;       ///< if more than one, update() gets the number of busy ones
    std::function<std::string()> remark;  ///< if set, its text ends each line
    // The other members are for tests. The defaults are stderr and the steady clock.
    std::ostream* stream = nullptr;
    int terminal = -1;  ///< 1: bar, 0: log lines, -1: ask whether stderr is a terminal
    std::function<std::chrono::steady_clock::time_point()> clock;
};

/// Rank 0 makes one. update() is cheap enough to be called for every tile. The bar is redrawn at
/// most ten times a second. A log gets a line at the start, one every minute and one at the end.
class Progress {
  public:
    Progress(std::string label, std::int64_t total, ProgressOptions options = {});
    /// Ends the line of an unfinished bar.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Whether update() would print now. Ask this first if its arguments are expensive to find out.
    bool due() const;
    /// `done` counts from the very beginning, including already_done. `busy` is the number of
    /// devices that have work, or negative if unknown.
    void update(std::int64_t done, std::int64_t busy = -1);
    /// Draws the full bar or prints the last line.
    void finish();

    /// 65 s as "1 min 05 s"; longer times as "2 h 03 min" or "3 d 04 h".
    static std::string duration(double seconds);

  private:
    using TimePoint = std::chrono::steady_clock::time_point;
    TimePoint now() const;
    double seconds_since(TimePoint start) const;
    void draw_bar(std::int64_t done, std::int64_t busy = -1);
    void write_line(const std::string& text);
    /// "120/400 tiles, 31.4 tiles/s, 9 s left, 7 of 8 devices busy"
    std::string state(std::int64_t done, std::int64_t busy) const;

    std::string label_;
    std::int64_t total_;
    ProgressOptions options_;
    std::ostream& stream_;
    bool terminal_;
    TimePoint start_;
    TimePoint last_output_;
    std::size_t drawn_width_ = 0;
    bool finished_ = false;
};

}  // namespace tessera::io
