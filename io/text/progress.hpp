// How far a run is: a bar on a terminal, a line now and then in a log.
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
    std::int64_t already_done = 0;  ///< resumed; does not count for the rate
    std::int64_t devices = 1;       ///< where more than one, update() is told how many are busy
    std::function<std::string()> remark;  ///< asked for at the end of each line, where there is one
    // The rest is for tests; the defaults are stderr and the steady clock.
    std::ostream* stream = nullptr;
    int terminal = -1;  ///< 1: bar, 0: log lines, -1: ask whether stderr is a terminal
    std::function<std::chrono::steady_clock::time_point()> clock;
};

/// One rank makes one (rank 0); update() is cheap enough for every tile. The bar is redrawn at most
/// ten times a second; a log gets a line at the start, one a minute and one at the end.
class Progress {
  public:
    Progress(std::string label, std::int64_t total, ProgressOptions options = {});
    /// Ends a half-drawn bar's line.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Whether update() would print now: what it is told may cost something to find out.
    bool due() const;
    /// `done` of the total, counted from the very beginning (already_done included); `busy`: devices
    /// that have work, not told where negative.
    void update(std::int64_t done, std::int64_t busy = -1);
    /// Everything is done: draws the full bar or the last line.
    void finish();

    /// "65 s" as "1 min 05 s", longer times as "2 h 03 min", "3 d 04 h".
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
