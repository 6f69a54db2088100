#include "likelihood/fit/fit_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/terminal.hpp"
#include "io/text/counted.hpp"

namespace tessera::likelihood {

double fraction_done(std::span<const std::string> stages, const std::string& stage,
                     std::int64_t step, std::int64_t steps) {
    const auto place = std::ranges::find(stages, stage);
    if (place == stages.end()) return 0;
    const double of_stage =
        steps > 0 ? std::clamp(static_cast<double>(step) / static_cast<double>(steps), 0.0, 1.0)
                  : 0;
    return (static_cast<double>(place - stages.begin()) + of_stage) /
           static_cast<double>(stages.size());
}

FitProgressLine::FitProgressLine(bool speaks)
    : speaks_(speaks), terminal_(isatty(STDERR_FILENO) == 1) {}

FitProgressLine::~FitProgressLine() {
    if (drawn_width_ > 0) std::fputc('\n', stderr);
}

void FitProgressLine::update(const likelihood::FitProgress& progress) {
    show(progress.stage, progress.evaluations, [&] {
        return fmt::format("fit: {}, step {} of at most {}, best likelihood {:.12g}",
                           progress.stage, progress.step, progress.steps, progress.best);
    });
}

void FitProgressLine::show(const std::string& stage, std::int64_t evaluations,
                           const std::function<std::string()>& text) {
    if (!speaks_) return;
    const auto now = std::chrono::steady_clock::now();
    const auto between = terminal_ ? std::chrono::milliseconds(100) : std::chrono::minutes(1);
    const bool new_stage = stage != stage_;
    if (!new_stage && now - last_output_ < between) return;
    const std::chrono::duration<double> passed = now - last_output_;
    const double rate = static_cast<double>(evaluations - last_evaluations_) / passed.count();
    last_output_ = now;
    last_evaluations_ = evaluations;
    stage_ = stage;
    std::string line =
        fmt::format("{}, {}, {:.3g}/s", text(), io::counted(evaluations, "evaluation"), rate);
    if (!terminal_) {
        print_line(stderr, line);
        return;
    }
    const std::size_t width = line.size();
    if (width < drawn_width_) line.append(drawn_width_ - width, ' ');  // cover the old text
    std::fprintf(stderr, "\r%s", printable(line).c_str());
    std::fflush(stderr);
    drawn_width_ = width;
}

}  // namespace tessera::likelihood
