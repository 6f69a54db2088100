// A chain of the No-U-Turn Sampler.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "likelihood/sample/draw.hpp"
#include "likelihood/sample/hills.hpp"
#include "likelihood/sample/image_turn.hpp"
#include "likelihood/sample/metric.hpp"
#include "likelihood/sample/nuts_trajectory.hpp"

namespace tessera::likelihood {

struct NutsOptions {
    int warmup = 1000, draws = 1000;
    double target_acceptance = 0.8;
    int most_doublings = 10;
    std::uint64_t seed = 1;
};

/// The caller begins each draw and then alternates proposal() and accept() until it is complete, so
/// several chains can share a batch of evaluations. Draw d takes its random numbers from the key
/// (seed, chain, d).
class NutsChain {
  public:
    /// `start` has a finite density.
    NutsChain(const NutsOptions& options, State start, std::uint64_t chain)
        : options_(options), chain_(chain), state_(std::move(start)) {}

    bool over() const { return done_ >= options_.warmup + options_.draws; }
    /// Whether a draw is under way.
    bool asks() const { return jump_ || trajectory_; }
    /// `metric` must outlive the draw.
    void begin_draw(const Metric& metric, double step_size);
    /// Likewise. The chain may jump first, to where its image jumps.
    void begin_draw(const Metric& metric, double step_size, const Hills& hills,
                    const ImageOf& image_of);
    const Point& proposal() const { return jump_ ? jump_->to : trajectory_->proposal(); }
    /// Returns the acceptance of the draw if this completes it, and else a negative number.
    double accept(const Density& density);
    /// The state after the last draw.
    const State& state() const { return state_; }
    /// Goes on from an equivalent point.
    void move(Image image);
    /// Draws so far, those of warm-up included.
    int done() const { return done_; }
    /// Draws after warm-up.
    const std::vector<Draw>& draws() const { return draws_; }

  private:
    void begin_trajectory();
    void settle_jump(const Density& density);
    RandomStream random(Purpose purpose) const;

    NutsOptions options_;
    std::uint64_t chain_;
    State state_;
    const Metric* metric_ = nullptr;
    double step_size_ = 0;
    std::optional<Jump> jump_;  ///< comes before the trajectory
    double log_level_ = 0;      ///< that decides about the jump
    JumpOutcome jumped_ = JumpOutcome::none;
    std::unique_ptr<NutsTrajectory> trajectory_;
    int done_ = 0;
    std::vector<Draw> draws_;
};

}  // namespace tessera::likelihood
