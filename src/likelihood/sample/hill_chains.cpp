#include "likelihood/sample/hill_chains.hpp"

#include <algorithm>
#include <utility>

#include "likelihood/sample/metric_estimate.hpp"

namespace tessera::likelihood {

namespace {

constexpr std::size_t draws_per_dimension = 2;  // that change what is known of a hill

/// The first draw of the last window, or the one after the only window.
int first_change(const Windows& windows) {
    const auto& ends = windows.ends;
    if (ends.empty()) return 0;
    return ends.size() > 1 ? ends[ends.size() - 2] : ends.front();
}

Point mean_of(const std::vector<Image>& draws) {
    Point mean(draws.front().line.size(), 0.0);
    for (const Image& draw : draws)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += draw.line[i] / static_cast<double>(draws.size());
    return mean;
}

}  // namespace

HillChains::HillChains(const NutsOptions& options, std::vector<State> starts,
                       std::vector<HillShape> hills, ImageOf image_of)
    : options_(options),
      image_of_(std::move(image_of)),
      windows_(warmup_windows(options.warmup, hills.front().centre.size(),
                              starts.size() / hills.size())),
      changes_from_(first_change(windows_)),
      stops_(windows_.ends) {
    if (options.warmup > 0) stops_.push_back(options.warmup);
    for (const HillShape& hill : hills)
        learners_.push_back({Metric(hill.covariance),
                             StepSize(first_step(hill.centre.size()), options.target_acceptance),
                             {}});
    hills_.emplace(std::move(hills));
    for (std::size_t c = 0; c < starts.size(); ++c)
        chains_.emplace_back(options_, std::move(starts[c]), c % learners_.size(), c, image_of_);
    propose();
}

bool HillChains::waits(const HillChain& chain) const {
    return warms_up() && chain.done() == stops_[next_stop_];
}

void HillChains::set_gaits() {
    gaits_.clear();
    for (const Learner& one : learners_)
        gaits_.push_back(
            {&one.metric, warms_up() ? one.step_size.current() : one.step_size.mean()});
}

void HillChains::propose() {
    proposals_.clear();
    set_gaits();
    for (HillChain& chain : chains_) {
        if (chain.over() || waits(chain)) continue;
        if (!chain.asks()) chain.begin_draw(*hills_, gaits_, chain.done() >= changes_from_);
        proposals_.push_back(chain.proposal());
    }
}

void HillChains::accept(std::span<const Density> densities) {
    auto density = densities.begin();
    for (HillChain& chain : chains_) {
        if (!chain.asks()) continue;
        const double acceptance = chain.accept(*density++);
        if (acceptance < 0 || !warms_up()) continue;
        Learner& learner = learners_[chain.hill()];
        learner.step_size.learn(acceptance);
        if (next_stop_ < windows_.ends.size() && chain.done() > windows_.begin)
            learner.window_draws.push_back(image_of_(chain.state()));
    }
    if (warms_up() && std::ranges::all_of(chains_, [&](const auto& one) { return waits(one); }))
        end_window();
    propose();
}

void HillChains::end_window() {
    if (next_stop_++ >= windows_.ends.size()) return;  // the end of warm-up
    learn_hills();
    for (HillChain& chain : chains_) chain.move(image_of_(chain.state()));
}

void HillChains::learn_hills() {
    std::vector<HillShape> shapes;
    for (std::size_t k = 0; k < learners_.size(); ++k) {
        auto& draws = learners_[k].window_draws;
        HillShape& shape = shapes.emplace_back((*hills_)[k]);
        // A hill that chains seldom visited stays as it was known before.
        if (draws.size() >= draws_per_dimension * shape.centre.size()) {
            shape = {mean_of(draws), estimated_metric(draws, shape.covariance)};
            learners_[k].metric = Metric(shape.covariance);
            learners_[k].step_size.go_on();
        }
        draws.clear();
    }
    hills_.emplace(std::move(shapes));
}

std::int64_t HillChains::done() const {
    std::int64_t done = 0;
    for (const HillChain& chain : chains_) done += chain.done();
    return done;
}

std::vector<std::vector<Draw>> HillChains::draws() const {
    std::vector<std::vector<Draw>> draws;
    draws.reserve(chains_.size());
    for (const HillChain& chain : chains_) draws.push_back(chain.draws());
    return draws;
}

}  // namespace tessera::likelihood
