// A chain of the No-U-Turn Sampler on a posterior with several hills.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "likelihood/sample/hill_set.hpp"
#include "likelihood/sample/nuts_chain.hpp"

namespace tessera::likelihood {

/// How trajectories on one hill move.
struct HillGait {
    const Metric* metric = nullptr;
    double step_size = 0;
};

/// The chain is at a place x on a hill k, with the density p(x) r_k(x): the sum over all hills is
/// p(x). Each draw consists of moves that keep this density:
///
/// 1. It draws its hill by the shares r_k(x).
/// 2. For each pair of hills to which its own belongs, and for each map between them, it jumps to
///    the place to which the map leads, or stays (Metropolis & Hastings).
/// 3. A trajectory on p(x) r_k(x) moves it, by the metric and the step size of its hill.
///
/// A trajectory may leave the equivalent points that all chains see. The shares of a point are
/// therefore those of its equivalent point, and it jumps as its equivalent point does. The chain
/// itself stays where the trajectory led: from the equivalent point, the same metric would see
/// another hill. Draw d takes its random numbers from the key (seed, chain, d).
class HillChain {
  public:
    /// `start` has a finite density. `image_of` must outlive the chain.
    HillChain(const NutsOptions& options, State start, std::size_t hill, std::uint64_t chain,
              const ImageOf& image_of)
        : options_(options),
          chain_(chain),
          image_of_(image_of),
          state_(std::move(start)),
          hill_(hill) {}

    bool over() const { return done_ >= options_.warmup + options_.draws; }
    bool asks() const { return proposed_ || trajectory_; }
    /// `hills` and `gaits` must outlive the draw. `may_change`: whether moves 1 and 2 take place.
    void begin_draw(const HillSet& hills, const std::vector<HillGait>& gaits, bool may_change);
    const Point& proposal() const { return proposed_ ? *proposed_ : trajectory_->proposal(); }
    /// Returns the acceptance of the trajectory if this completes the draw, and else a negative
    /// number.
    double accept(const Density& density);
    const State& state() const { return state_; }
    std::size_t hill() const { return hill_; }
    int done() const { return done_; }
    /// Goes on from an equivalent point.
    void move(Image image);
    /// Draws after warm-up.
    const std::vector<Draw>& draws() const { return draws_; }

  private:
    /// Proposes the jumps that remain, until one leads to a point that must be asked.
    void propose_jumps();
    void settle_jump(const Density& density);
    void begin_trajectory();
    /// p(x) r_k(x), with its gradient.
    Density shared(const Point& at, Density density) const;
    void finish_draw();

    NutsOptions options_;
    std::uint64_t chain_;
    const ImageOf& image_of_;
    State state_;
    std::size_t hill_;
    const HillSet* hills_ = nullptr;
    const std::vector<HillGait>* gaits_ = nullptr;
    std::optional<RandomStream> random_;  ///< of the draw's jumps
    std::size_t next_jump_ = 0, target_ = 0;
    std::optional<Point> proposed_;  ///< by a jump
    JumpOutcome jumped_ = JumpOutcome::none;
    std::unique_ptr<NutsTrajectory> trajectory_;
    int done_ = 0;
    std::vector<Draw> draws_;
};

}  // namespace tessera::likelihood
