// The chains of a sampling by the No-U-Turn Sampler, which warm up together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "likelihood/sample/nuts_chain.hpp"
#include "likelihood/sample/step_size.hpp"

namespace tessera::likelihood {

/// The windows of warm-up. After each, the chains take another metric.
struct Windows {
    int begin = 0;          ///< the first draw of the first window
    std::vector<int> ends;  ///< one beyond the last draw of each window
};

/// Windows double in length as in Stan (reference manual 2.36, section 15.2), between 25 draws
/// before them and 50 after them, which adapt the step size alone. The first window has at least 25
/// draws, and four of all chains for each dimension. A short warm-up has one window, or none.
Windows warmup_windows(int warmup, std::size_t dimension, std::size_t chains);

/// A good step for a normal posterior with the right metric (Neal 2011, section 5.4.4).
double first_step(std::size_t dimension);

/// The chains share the metric, which comes from the draws of all chains, and during warm-up the
/// step size, which learns from all chains. Chains wait for each other at the end of each window
/// and of warm-up, so all that they share depends on the answers alone. If they find two hills,
/// they try to jump to the other one before each draw. The caller alternates
/// proposals() and accept() until they are over.
class NutsChains {
  public:
    /// `starts` have finite densities. `covariance`: of the first metric. Metrics and hills are
    /// learnt from images of the states.
    NutsChains(const NutsOptions& options, std::vector<State> starts, Matrix covariance,
               ImageOf image_of);

    bool over() const { return proposals_.empty(); }
    /// The points of all chains that do not wait.
    const std::vector<Point>& proposals() const { return proposals_; }
    void accept(std::span<const Density> densities);
    /// Draws so far of all chains, those of warm-up included.
    std::int64_t done() const;
    /// [chain][draw] after warm-up.
    std::vector<std::vector<Draw>> draws() const;

  private:
    bool waits(const NutsChain& chain) const;
    bool warms_up() const { return next_stop_ < stops_.size(); }
    void end_window();
    void propose();

    NutsOptions options_;
    ImageOf image_of_;
    std::vector<NutsChain> chains_;
    Matrix covariance_;
    std::unique_ptr<Metric> metric_;  ///< of that covariance
    std::optional<Hills> hills_;      ///< if the chains change between them too rarely
    StepSize step_size_;
    Windows windows_;
    std::vector<int> stops_;  ///< draws before which all chains wait for each other
    std::size_t next_stop_ = 0;
    ImageChains window_draws_;
    std::vector<Point> proposals_;
};

}  // namespace tessera::likelihood
