#include "likelihood/sample/ensemble.hpp"

#include <cmath>
#include <utility>

namespace tessera::likelihood {

namespace {

constexpr double largest_stretch = 2;  // a of Goodman & Weare

}  // namespace

Ensemble::Ensemble(const EnsembleOptions& options, std::vector<State> walkers)
    : options_(options), walkers_(std::move(walkers)), draws_(walkers_.size()) {
    if (!over()) propose();
}

void Ensemble::propose() {
    const std::size_t half = walkers_.size() / 2, others = second_half_ ? 0 : half;
    proposals_.clear();
    log_stretches_.clear();
    log_levels_.clear();
    for (std::size_t k = first(); k < first() + half; ++k) {
        RandomStream random{options_.seed, static_cast<std::uint64_t>(Purpose::ensemble), k,
                            static_cast<std::uint64_t>(step_)};
        const Point& other = walkers_[others + random.index(half)].at;
        // The density of the stretch is proportional to 1 / sqrt(z) between 1 / a and a.
        const double root = (1 + (largest_stretch - 1) * random.uniform());
        const double stretch = root * root / largest_stretch;
        Point moved = other;
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved[i] += stretch * (walkers_[k].at[i] - other[i]);
        log_stretches_.push_back(std::log(stretch));
        log_levels_.push_back(std::log1p(-random.uniform()));
        proposals_.push_back(std::move(moved));
    }
}

void Ensemble::accept(std::span<const Density> densities) {
    for (std::size_t i = 0; i < proposals_.size(); ++i) {
        State& walker = walkers_[first() + i];
        const double log_ratio = static_cast<double>(walker.at.size() - 1) * log_stretches_[i] +
                                 densities[i].log - walker.density.log;
        const bool moves = log_levels_[i] < log_ratio;
        if (moves) walker = {proposals_[i], densities[i]};
        if (step_ < options_.warmup) continue;
        Draw draw;
        draw.state = walker;
        draw.acceptance = moves ? 1 : 0;
        draws_[first() + i].push_back(std::move(draw));
    }
    if (second_half_) ++step_;
    second_half_ = !second_half_;
    if (!over()) propose();
}

}  // namespace tessera::likelihood
