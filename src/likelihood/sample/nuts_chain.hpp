// A chain of the No-U-Turn Sampler.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "likelihood/sample/draw.hpp"
#include "likelihood/sample/metric.hpp"
#include "likelihood/sample/nuts_trajectory.hpp"
#include "likelihood/sample/step_size.hpp"

namespace tessera::likelihood {

struct NutsOptions {
    int warmup = 1000, draws = 1000;
    double target_acceptance = 0.8;
    int most_doublings = 10;
    std::uint64_t seed = 1;
};

/// The windows of warm-up. After each, a chain takes the covariance of its draws as the metric.
struct Windows {
    int begin = 0;          ///< the first draw of the first window
    std::vector<int> ends;  ///< one beyond the last draw of each window
};

/// Windows double in length, between 75 draws before them and 50 after them, which adapt the step
/// size alone (Stan's reference manual 2.36, section 15.2). The first window has 25 draws, or two
/// for each dimension. A short warm-up has one window, or none.
Windows warmup_windows(int warmup, std::size_t dimension);

/// The caller alternates proposal() and accept() until the chain is over, so several chains can
/// share a batch of evaluations. Draw d takes its random numbers from the key (seed, chain, d).
class NutsChain {
  public:
    /// `start` has a finite density.
    NutsChain(const NutsOptions& options, State start, Matrix covariance, std::uint64_t chain);

    bool over() const { return done_ >= options_.warmup + options_.draws; }
    const Point& proposal() const { return trajectory_->proposal(); }
    void accept(const Density& density);
    /// Draws so far, those of warm-up included.
    int done() const { return done_; }
    /// Draws after warm-up.
    const std::vector<Draw>& draws() const { return draws_; }

  private:
    void begin_draw();
    void adapt(const Draw& draw);

    NutsOptions options_;
    std::uint64_t chain_;
    State state_;
    std::unique_ptr<Metric> metric_;
    StepSize step_size_;
    Windows windows_;
    RunningCovariance window_;
    std::unique_ptr<NutsTrajectory> trajectory_;
    int done_ = 0;
    std::vector<Draw> draws_;
};

}  // namespace tessera::likelihood
