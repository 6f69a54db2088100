// How far a fit is, and the best likelihood so far.
#pragma once

#include <chrono>
#include <string>

#include "likelihood/fit/maximise.hpp"

namespace tessera::cli {

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
    std::chrono::steady_clock::time_point last_output_;
};

}  // namespace tessera::cli
