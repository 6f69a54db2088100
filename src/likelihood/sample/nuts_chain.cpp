#include "likelihood/sample/nuts_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::likelihood {

namespace {

constexpr int before_windows = 75, after_windows = 50, shortest_window = 25;

/// A good step for a normal posterior with this metric (Neal 2011, section 5.4.4).
double first_step(std::size_t dimension) { return std::pow(static_cast<double>(dimension), -0.25); }

}  // namespace

Windows warmup_windows(int warmup, std::size_t dimension) {
    int window = std::max(shortest_window, 2 * static_cast<int>(dimension));
    if (warmup < before_windows + window + after_windows) {
        const int first = warmup * 15 / 100, last = warmup - warmup / 10;
        const bool enough = last - first > static_cast<int>(dimension);
        return {first, enough ? std::vector<int>{last} : std::vector<int>{}};
    }
    Windows windows{before_windows, {}};
    const int last = warmup - after_windows;
    for (int end = before_windows + window; end <= last; window *= 2, end += window)
        windows.ends.push_back(end + 2 * window > last ? last : end);
    return windows;
}

NutsChain::NutsChain(const NutsOptions& options, State start, Matrix covariance,
                     std::uint64_t chain)
    : options_(options),
      chain_(chain),
      state_(std::move(start)),
      metric_(std::make_unique<Metric>(std::move(covariance))),
      step_size_(first_step(state_.at.size()), options.target_acceptance),
      windows_(warmup_windows(options.warmup, state_.at.size())),
      window_(state_.at.size()) {
    if (!over()) begin_draw();
}

void NutsChain::begin_draw() {
    const bool warms_up = done_ < options_.warmup;
    const RandomStream random{options_.seed, static_cast<std::uint64_t>(Purpose::nuts), chain_,
                              static_cast<std::uint64_t>(done_)};
    trajectory_ = std::make_unique<NutsTrajectory>(
        *metric_, state_, warms_up ? step_size_.current() : step_size_.mean(),
        options_.most_doublings, random);
}

void NutsChain::accept(const Density& density) {
    trajectory_->accept(density);
    if (!trajectory_->over()) return;
    Draw draw = trajectory_->draw();
    state_ = draw.state;
    if (done_ < options_.warmup)
        adapt(draw);
    else
        draws_.push_back(std::move(draw));
    ++done_;
    if (!over()) begin_draw();
}

void NutsChain::adapt(const Draw& draw) {
    step_size_.learn(draw.acceptance);
    const std::vector<int>& ends = windows_.ends;
    if (ends.empty() || done_ < windows_.begin || done_ >= ends.back()) return;
    window_.add(state_.at);
    if (std::ranges::find(ends, done_ + 1) == ends.end()) return;
    if (cholesky(window_.shrunk())) metric_ = std::make_unique<Metric>(window_.shrunk());
    window_ = RunningCovariance(state_.at.size());
    step_size_.restart(step_size_.mean());
}

}  // namespace tessera::likelihood
