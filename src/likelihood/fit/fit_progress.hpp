// Shows the stage of a fit, the best likelihood so far, and the evaluations per second since the
// last line.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "likelihood/fit/maximise.hpp"

namespace tessera::likelihood {

/// How far a run is that has these stages, 0 to 1. Stages count alike, because nobody knows
/// beforehand how long each will take. 0 for a stage that is not among them.
double fraction_done(std::span<const std::string> stages, const std::string& stage,
                     std::int64_t step, std::int64_t steps);

/// Writes to stderr. On a terminal it redraws one line. In a log it writes one line for each stage
/// and one each minute.
class FitProgressLine {
  public:
    explicit FitProgressLine(bool speaks);
    ~FitProgressLine();
    FitProgressLine(const FitProgressLine&) = delete;
    FitProgressLine& operator=(const FitProgressLine&) = delete;

    void update(const likelihood::FitProgress& progress);
    /// Shows `text`, and the rate of evaluations, if it is time to. A new stage is shown at once.
    void show(const std::string& stage, std::int64_t evaluations,
              const std::function<std::string()>& text);

  private:
    bool speaks_, terminal_;
    std::string stage_;
    std::size_t drawn_width_ = 0;
    std::int64_t last_evaluations_ = 0;
    std::chrono::steady_clock::time_point last_output_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::likelihood
