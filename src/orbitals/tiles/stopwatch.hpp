// Measures where the time of tiles goes.
#pragma once

#include <chrono>

namespace tessera::orbitals {

/// Adds its lifetime to a sum.
class Stopwatch {
  public:
    explicit Stopwatch(double& sum) : sum_(sum), start_(std::chrono::steady_clock::now()) {}
    ~Stopwatch() {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
        sum_ += passed.count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

  private:
    double& sum_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace tessera::orbitals
