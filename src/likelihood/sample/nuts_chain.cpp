#include "likelihood/sample/nuts_chain.hpp"

#include <utility>

namespace tessera::likelihood {

void NutsChain::begin_draw(const Metric& metric, double step_size) {
    const RandomStream random{options_.seed, static_cast<std::uint64_t>(Purpose::nuts), chain_,
                              static_cast<std::uint64_t>(done_)};
    trajectory_ = std::make_unique<NutsTrajectory>(metric, state_, step_size,
                                                   options_.most_doublings, random);
}

double NutsChain::accept(const Density& density) {
    trajectory_->accept(density);
    if (!trajectory_->over()) return -1;
    Draw draw = trajectory_->draw();
    trajectory_.reset();
    const double acceptance = draw.acceptance;
    state_ = draw.state;
    if (done_ >= options_.warmup) draws_.push_back(std::move(draw));
    ++done_;
    return acceptance;
}

void NutsChain::move(Image image) {
    state_.at = std::move(image.line);
    state_.density.gradient = std::move(image.gradient);
}

}  // namespace tessera::likelihood
