#include "likelihood/sample/nuts_chains.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "likelihood/sample/metric_estimate.hpp"

namespace tessera::likelihood {

namespace {

constexpr int before_windows = 25, after_windows = 50, shortest_window = 25;
constexpr std::size_t warm_draws_per_dimension = 4;

}  // namespace

double first_step(std::size_t dimension) { return std::pow(static_cast<double>(dimension), -0.25); }

Windows warmup_windows(int warmup, std::size_t dimension, std::size_t chains) {
    const std::size_t wanted = (warm_draws_per_dimension * dimension + chains - 1) / chains;
    int window = std::max(shortest_window, static_cast<int>(wanted));
    if (warmup < before_windows + window + after_windows) {
        const int first = warmup * 15 / 100, last = warmup - warmup / 10;
        const bool enough = static_cast<std::size_t>(last - first) * chains > dimension;
        return {first, enough ? std::vector<int>{last} : std::vector<int>{}};
    }
    Windows windows{before_windows, {}};
    const int last = warmup - after_windows;
    for (int end = before_windows + window; end <= last; window *= 2, end += window)
        windows.ends.push_back(end + 2 * window > last ? last : end);
    return windows;
}

NutsChains::NutsChains(const NutsOptions& options, std::vector<State> starts, Matrix covariance,
                       ImageOf image_of)
    : options_(options),
      image_of_(std::move(image_of)),
      covariance_(std::move(covariance)),
      metric_(std::make_unique<Metric>(covariance_)),
      step_size_(first_step(covariance_.n), options.target_acceptance),
      windows_(warmup_windows(options.warmup, covariance_.n, starts.size())),
      stops_(windows_.ends),
      window_draws_(starts.size()) {
    if (options.warmup > 0) stops_.push_back(options.warmup);
    for (std::size_t k = 0; k < starts.size(); ++k)
        chains_.emplace_back(options_, std::move(starts[k]), k);
    propose();
}

bool NutsChains::waits(const NutsChain& chain) const {
    return warms_up() && chain.done() == stops_[next_stop_];
}

void NutsChains::propose() {
    proposals_.clear();
    for (NutsChain& chain : chains_) {
        if (chain.over() || waits(chain)) continue;
        const double step_size = warms_up() ? step_size_.current() : step_size_.mean();
        if (!chain.asks() && hills_)
            chain.begin_draw(*metric_, step_size, *hills_, image_of_);
        else if (!chain.asks())
            chain.begin_draw(*metric_, step_size);
        proposals_.push_back(chain.proposal());
    }
}

void NutsChains::accept(std::span<const Density> densities) {
    auto density = densities.begin();
    for (std::size_t k = 0; k < chains_.size(); ++k) {
        NutsChain& chain = chains_[k];
        if (!chain.asks()) continue;
        const double acceptance = chain.accept(*density++);
        if (acceptance < 0 || !warms_up()) continue;
        step_size_.learn(acceptance);
        if (next_stop_ < windows_.ends.size() && chain.done() > windows_.begin)
            window_draws_[k].push_back(image_of_(chain.state()));
    }
    if (warms_up() && std::ranges::all_of(chains_, [&](const auto& one) { return waits(one); }))
        end_window();
    propose();
}

void NutsChains::end_window() {
    if (next_stop_++ >= windows_.ends.size()) return;  // the end of warm-up
    hills_ = hills_ ? learn_again(*hills_, window_draws_, covariance_)
                    : find_hills(window_draws_, covariance_);
    std::vector<Image> all;
    for (auto& of_chain : window_draws_) {
        all.insert(all.end(), of_chain.begin(), of_chain.end());
        of_chain.clear();
    }
    covariance_ = estimated_metric(hills_ ? hills_->centred(all) : all, covariance_);
    metric_ = std::make_unique<Metric>(covariance_);
    step_size_.go_on();
    for (NutsChain& chain : chains_) chain.move(image_of_(chain.state()));
}

std::int64_t NutsChains::done() const {
    std::int64_t done = 0;
    for (const NutsChain& chain : chains_) done += chain.done();
    return done;
}

std::vector<std::vector<Draw>> NutsChains::draws() const {
    std::vector<std::vector<Draw>> draws;
    draws.reserve(chains_.size());
    for (const NutsChain& chain : chains_) draws.push_back(chain.draws());
    return draws;
}

}  // namespace tessera::likelihood
