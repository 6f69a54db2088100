// The affine-invariant ensemble sampler.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "likelihood/sample/draw.hpp"

namespace tessera::likelihood {

struct EnsembleOptions {
    int warmup = 1000, draws = 1000;
    std::uint64_t seed = 1;
};

/// Stretch moves (Goodman & Weare 2010) of one half of the walkers along lines to walkers of the
/// other half, in turn (Foreman-Mackey et al. 2013, section 3). The caller alternates proposals()
/// and accept() until the ensemble is over. Walker w takes the random numbers of step s from the
/// key (seed, w, s).
class Ensemble {
  public:
    /// `walkers`: an even number of states with finite densities.
    Ensemble(const EnsembleOptions& options, std::vector<State> walkers);

    bool over() const { return step_ >= options_.warmup + options_.draws; }
    /// The points of half the walkers.
    const std::vector<Point>& proposals() const { return proposals_; }
    /// Takes the densities of the proposals. Gradients are not needed.
    void accept(std::span<const Density> densities);
    /// Steps so far, those of warm-up included.
    int done() const { return step_; }
    /// [walker][draw] after warm-up.
    const std::vector<std::vector<Draw>>& draws() const { return draws_; }

  private:
    void propose();
    std::size_t first() const { return second_half_ ? walkers_.size() / 2 : 0; }

    EnsembleOptions options_;
    std::vector<State> walkers_;
    std::vector<Point> proposals_;
    std::vector<double> log_stretches_, log_levels_;  ///< of each proposal
    bool second_half_ = false;
    int step_ = 0;
    std::vector<std::vector<Draw>> draws_;
};

}  // namespace tessera::likelihood
