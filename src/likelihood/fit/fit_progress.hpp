// How far a fit is, the best likelihood so far, and evaluations a second since the line before.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "likelihood/fit/maximise.hpp"

namespace tessera::likelihood {

/// On a terminal one line that is redrawn; in a log a line a stage and one a minute. On stderr.
class FitProgressLine {
  public:
    explicit FitProgressLine(bool speaks);
    ~FitProgressLine();
    FitProgressLine(const FitProgressLine&) = delete;
    FitProgressLine& operator=(const FitProgressLine&) = delete;

    void update(const likelihood::FitProgress& progress);

  private:
    bool speaks_, terminal_;
    std::string stage_;
    std::size_t drawn_width_ = 0;
    std::int64_t last_evaluations_ = 0;
    std::chrono::steady_clock::time_point last_output_ = std::chrono::steady_clock::now();
};

}  // namespace tessera::likelihood
