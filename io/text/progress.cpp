#include "io/text/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "core/terminal.hpp"
#include "io/text/counted.hpp"

namespace tessera::io {

namespace {

constexpr auto between_redraws = std::chrono::milliseconds(100);
constexpr auto between_log_lines = std::chrono::minutes(1);
constexpr int bar_width = 30;

bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

/// Three significant digits, without an exponent.
std::string short_number(double value) {
    char text[64];
    const int decimals = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
    std::snprintf(text, sizeof(text), "%.*f", decimals, value);
    return text;
}

}  // namespace

Progress::Progress(std::string label, std::int64_t total, ProgressOptions options)
    : label_(std::move(label)),
      total_(total),
      options_(std::move(options)),
      stream_(options_.stream ? *options_.stream : std::cerr),
      terminal_(options_.terminal < 0 ? stderr_is_terminal() : options_.terminal == 1),
      start_(now()),
      last_output_(start_) {
    if (options_.quiet) return;
    if (terminal_) {
        draw_bar(options_.already_done);
        return;
    }
    const std::string one = options_.unit.substr(0, options_.unit.size() - 1);
    std::string text = counted(total_, one, options_.unit);
    if (options_.already_done > 0)
        text += ", " + std::to_string(options_.already_done) + " of them done before";
    write_line(text);
}

Progress::~Progress() {
    if (drawn_width_ > 0 && !finished_) stream_ << '\n' << std::flush;
}

Progress::TimePoint Progress::now() const {
    return options_.clock ? options_.clock() : std::chrono::steady_clock::now();
}

double Progress::seconds_since(TimePoint start) const {
    return std::chrono::duration<double>(now() - start).count();
}

bool Progress::due() const {
    if (options_.quiet || finished_) return false;
    const auto passed = now() - last_output_;
    return terminal_ ? passed >= between_redraws : passed >= between_log_lines;
}

void Progress::update(std::int64_t done, std::int64_t busy) {
    if (!due()) return;
    if (terminal_)
        draw_bar(done, busy);
    else
        write_line(state(done, busy));
}

void Progress::finish() {
    if (options_.quiet || finished_) return;
    finished_ = true;
    if (terminal_) {
        draw_bar(total_);
        stream_ << '\n' << std::flush;
        return;
    }
    const double seconds = seconds_since(start_);
    const auto worked = static_cast<double>(total_ - options_.already_done);
    std::string text = "done, " + duration(seconds);
    if (seconds > 0) text += ", " + short_number(worked / seconds) + " " + options_.unit + "/s";
    write_line(text);
}

std::string Progress::state(std::int64_t done, std::int64_t busy) const {
    std::string text = std::to_string(done) + "/" + std::to_string(total_) + " " + options_.unit;
    const double seconds = seconds_since(start_);
    const auto worked = static_cast<double>(done - options_.already_done);
    if (seconds <= 0 || worked <= 0) return text;
    text += ", " + short_number(worked / seconds) + " " + options_.unit + "/s";
    if (done >= total_) return text + ", " + duration(seconds);
    text += ", " + duration(static_cast<double>(total_ - done) * seconds / worked) + " left";
    if (busy >= 0 && options_.devices > 1)
        text += ", " + std::to_string(busy) + " of " + std::to_string(options_.devices) +
                " devices busy";
    return text;
}

void Progress::draw_bar(std::int64_t done, std::int64_t busy) {
    const double part = total_ > 0 ? static_cast<double>(done) / static_cast<double>(total_) : 1;
    const auto filled = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * bar_width);
    std::string line = label_ + " [" + std::string(filled, '=') +
                       std::string(bar_width - filled, ' ') + "] " + state(done, busy);
    if (options_.remark) line += ", " + options_.remark();
    const std::size_t width = line.size();
    if (width < drawn_width_) line.append(drawn_width_ - width, ' ');  // covers the previous text
    stream_ << '\r' << printable(line) << std::flush;
    drawn_width_ = width;
    last_output_ = now();
}

void Progress::write_line(const std::string& text) {
    const std::string line =
        label_ + ": " + text + (options_.remark ? ", " + options_.remark() : "");
    stream_ << printable(line) << '\n' << std::flush;
    last_output_ = now();
}

std::string Progress::duration(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::llround(std::max(seconds, 0.0)));
    char text[64];
    const auto pair = [&](std::int64_t large, const char* large_unit, std::int64_t small,
                          const char* small_unit) {
        std::snprintf(text, sizeof(text), "%lld %s %02lld %s", static_cast<long long>(large),
                      large_unit, static_cast<long long>(small), small_unit);
        return std::string(text);
    };
    if (whole < 60) return short_number(seconds < 10 ? seconds : static_cast<double>(whole)) + " s";
    if (whole < 3600) return pair(whole / 60, "min", whole % 60, "s");
    if (whole < 86400) return pair(whole / 3600, "h", whole / 60 % 60, "min");
    return pair(whole / 86400, "d", whole / 3600 % 24, "h");
}

}  // namespace tessera::io
