// The chains of a sampling by the No-U-Turn Sampler on a posterior with several hills.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "likelihood/sample/hill_chain.hpp"
#include "likelihood/sample/nuts_chains.hpp"
#include "likelihood/sample/step_size.hpp"

namespace tessera::likelihood {

/// Each hill has a metric and a step size of its own. Up to the last window of warm-up every chain
/// stays on its hill, so that all hills are learnt. From then on chains draw their hill and jump.
/// Chains wait for each other at the end of each window and of warm-up, as NutsChains. The caller
/// alternates proposals() and accept() until they are over.
class HillChains {
  public:
    /// `starts` have finite densities. Chain c begins on hill c mod the number of hills; every hill
    /// needs a chain. The hills are as seen by `image_of`.
    HillChains(const NutsOptions& options, std::vector<State> starts, std::vector<HillShape> hills,
               ImageOf image_of);
    HillChains(const HillChains&) = delete;
    HillChains& operator=(const HillChains&) = delete;

    bool over() const { return proposals_.empty(); }
    const std::vector<Point>& proposals() const { return proposals_; }
    void accept(std::span<const Density> densities);
    std::int64_t done() const;
    /// [chain][draw] after warm-up.
    std::vector<std::vector<Draw>> draws() const;

  private:
    /// What is learnt about a hill.
    struct Learner {
        Metric metric;
        StepSize step_size;
        std::vector<Image> window_draws;
    };

    bool waits(const HillChain& chain) const;
    bool warms_up() const { return next_stop_ < stops_.size(); }
    void end_window();
    void learn_hills();
    void set_gaits();
    void propose();

    NutsOptions options_;
    ImageOf image_of_;
    std::vector<Learner> learners_;  ///< of each hill
    std::optional<HillSet> hills_;
    std::vector<HillGait> gaits_;
    std::vector<HillChain> chains_;
    Windows windows_;
    int changes_from_ = 0;    ///< the first draw before which chains may change the hill
    std::vector<int> stops_;  ///< draws before which all chains wait for each other
    std::size_t next_stop_ = 0;
    std::vector<Point> proposals_;
};

}  // namespace tessera::likelihood
