#include "likelihood/sample/hill_chain.hpp"

#include <cmath>
#include <utility>

namespace tessera::likelihood {

namespace {

std::size_t drawn_by(const std::vector<double>& log_shares, double uniform) {
    std::size_t k = 0;
    for (double sum = std::exp(log_shares[0]); uniform >= sum && k + 1 < log_shares.size();)
        sum += std::exp(log_shares[++k]);
    return k;
}

}  // namespace

void HillChain::begin_draw(const HillSet& hills, const std::vector<HillGait>& gaits,
                           bool may_change) {
    hills_ = &hills;
    gaits_ = &gaits;
    jumped_ = JumpOutcome::none;
    if (!may_change) return begin_trajectory();
    random_.emplace(RandomStream{options_.seed, static_cast<std::uint64_t>(Purpose::hill), chain_,
                                 static_cast<std::uint64_t>(done_)});
    hill_ = drawn_by(hills.log_shares(ImageTurn(state_.at, image_of_).image()), random_->uniform());
    jumped_ = JumpOutcome::refused;
    next_jump_ = 0;
    propose_jumps();
}

void HillChain::propose_jumps() {
    const ImageTurn turn(state_.at, image_of_);
    for (; next_jump_ < hills_->jumps().size(); ++next_jump_) {
        const HillJump& jump = hills_->jumps()[next_jump_];
        if (jump.one != hill_ && jump.other != hill_) continue;
        target_ = jump.one == hill_ ? jump.other : jump.one;
        Point to = hills_->maps(hill_, target_)[jump.map](turn.image());
        // A point that is not its own image is one of those that are left out.
        if (!is_own_image(to, image_of_)) continue;
        for (std::size_t i = 0; i < to.size(); ++i) to[i] -= turn.image()[i];
        proposed_ = state_.at;
        turn.add_back(to, *proposed_);
        return;
    }
    begin_trajectory();
}

void HillChain::settle_jump(const Density& density) {
    const auto share = [&](const Point& at, std::size_t hill) {
        return hills_->log_shares(ImageTurn(at, image_of_).image())[hill];
    };
    const double here = state_.density.log + share(state_.at, hill_);
    const double there = density.log + share(*proposed_, target_);
    const std::size_t map = hills_->jumps()[next_jump_].map;
    const double log_volume = hills_->maps(hill_, target_)[map].log_volume;
    if (std::log1p(-random_->uniform()) < there - here + log_volume) {
        state_ = {std::move(*proposed_), density};
        hill_ = target_;
        jumped_ = JumpOutcome::accepted;
    }
    proposed_.reset();
    ++next_jump_;
    propose_jumps();
}

Density HillChain::shared(const Point& at, Density density) const {
    if (!(density.log > rejected)) return density;
    const ImageTurn turn(at, image_of_);
    density.log += hills_->log_shares(turn.image())[hill_];
    turn.add_back(hills_->log_share_gradient(hill_, turn.image()), density.gradient);
    return density;
}

void HillChain::move(Image image) {
    state_.at = std::move(image.line);
    state_.density.gradient = std::move(image.gradient);
}

void HillChain::begin_trajectory() {
    const HillGait& gait = (*gaits_)[hill_];
    trajectory_ = std::make_unique<NutsTrajectory>(
        *gait.metric, State{state_.at, shared(state_.at, state_.density)}, gait.step_size,
        options_.most_doublings,
        RandomStream{options_.seed, static_cast<std::uint64_t>(Purpose::nuts), chain_,
                     static_cast<std::uint64_t>(done_)});
}

double HillChain::accept(const Density& density) {
    if (proposed_) {
        settle_jump(density);
        return -1;
    }
    trajectory_->accept(shared(trajectory_->proposal(), density));
    if (!trajectory_->over()) return -1;
    const double acceptance = trajectory_->draw().acceptance;
    finish_draw();
    return acceptance;
}

/// The density of the draw without the share of its hill.
void HillChain::finish_draw() {
    Draw draw = trajectory_->draw();
    trajectory_.reset();
    const Density share = shared(draw.state.at, {0, Point(draw.state.at.size(), 0.0), 0});
    Density& density = draw.state.density;
    density.log -= share.log;
    for (std::size_t i = 0; i < density.gradient.size(); ++i)
        density.gradient[i] -= share.gradient[i];
    draw.jump = jumped_;
    draw.hill = static_cast<std::int32_t>(hill_);
    state_ = draw.state;
    if (done_ >= options_.warmup) draws_.push_back(std::move(draw));
    ++done_;
}

}  // namespace tessera::likelihood
