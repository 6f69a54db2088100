#include "likelihood/sample/nuts_chain.hpp"

#include <cmath>
#include <utility>

namespace tessera::likelihood {

RandomStream NutsChain::random(Purpose purpose) const {
    return RandomStream{options_.seed, static_cast<std::uint64_t>(purpose), chain_,
                        static_cast<std::uint64_t>(done_)};
}

void NutsChain::begin_draw(const Metric& metric, double step_size) {
    metric_ = &metric;
    step_size_ = step_size;
    jumped_ = JumpOutcome::none;
    begin_trajectory();
}

void NutsChain::begin_draw(const Metric& metric, double step_size, const Hills& hills,
                           const ImageOf& image_of) {
    metric_ = &metric;
    step_size_ = step_size;
    jumped_ = JumpOutcome::refused;
    const ImageTurn turn(state_.at, image_of);
    RandomStream stream = random(Purpose::jump);
    Jump jump = hills.jump(turn.image(), stream);
    // A point that is not its own image is one of those that were left out.
    if (!is_own_image(jump.to, image_of)) return begin_trajectory();
    for (std::size_t i = 0; i < jump.to.size(); ++i) jump.to[i] -= turn.image()[i];
    Point to = state_.at;
    turn.add_back(jump.to, to);
    jump.to = std::move(to);
    log_level_ = std::log1p(-stream.uniform());
    jump_ = std::move(jump);
}

void NutsChain::begin_trajectory() {
    trajectory_ = std::make_unique<NutsTrajectory>(*metric_, state_, step_size_,
                                                   options_.most_doublings, random(Purpose::nuts));
}

void NutsChain::settle_jump(const Density& density) {
    const double log_ratio = density.log - state_.density.log + jump_->log_factor;
    if (log_level_ < log_ratio) {
        state_ = {std::move(jump_->to), density};
        jumped_ = JumpOutcome::accepted;
    }
    jump_.reset();
}

double NutsChain::accept(const Density& density) {
    if (jump_) {
        settle_jump(density);
        begin_trajectory();
        return -1;
    }
    trajectory_->accept(density);
    if (!trajectory_->over()) return -1;
    Draw draw = trajectory_->draw();
    draw.jump = jumped_;
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
