#include "likelihood/sample/nuts_trajectory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::likelihood {

namespace {

constexpr double divergence = 1000;  // of the energy, as in Stan

double log_sum(double a, double b) {
    const double larger = std::max(a, b);
    if (!std::isfinite(larger)) return larger;
    return larger + std::log1p(std::exp(std::min(a, b) - larger));
}

Point sum(const Point& a, const Point& b) {
    Point total = a;
    for (std::size_t i = 0; i < b.size(); ++i) total[i] += b[i];
    return total;
}

/// Whether both ends of a path still move along the sum of its momenta.
bool moves_on(const Point& first_velocity, const Point& last_velocity, const Point& momenta) {
    return dot(first_velocity, momenta) > 0 && dot(last_velocity, momenta) > 0;
}

}  // namespace

NutsTrajectory::NutsTrajectory(const Metric& metric, const State& start, double step_size,
                               int most_doublings, RandomStream random)
    : metric_(metric), random_(random), step_size_(step_size), most_doublings_(most_doublings) {
    current_ = {start, metric_.momentum(random_)};
    begun_at_ = energy(current_);
    first_ = last_ = current_;
    const End end = end_of(current_);
    whole_ = {end, end, current_.momentum, 0, start, 0};
    begin_doubling();
}

NutsTrajectory::End NutsTrajectory::end_of(const Phase& phase) const {
    return {phase.momentum, metric_.velocity(phase.momentum)};
}

double NutsTrajectory::energy(const Phase& phase) const {
    const double kinetic = dot(phase.momentum, metric_.velocity(phase.momentum)) / 2;
    const double energy = kinetic - phase.state.density.log;
    return std::isnan(energy) ? std::numeric_limits<double>::infinity() : energy;
}

void NutsTrajectory::begin_doubling() {
    if (whole_.doublings >= most_doublings_) {
        over_ = true;
        return;
    }
    forward_ = random_.uniform() < 0.5;
    current_ = forward_ ? last_ : first_;
    parts_.clear();
    begin_leap();
}

/// Half a step of the momentum and a step of the position (leapfrog).
void NutsTrajectory::begin_leap() {
    const double step = forward_ ? step_size_ : -step_size_;
    State& state = current_.state;
    for (std::size_t i = 0; i < state.at.size(); ++i)
        current_.momentum[i] += step / 2 * state.density.gradient[i];
    const Point velocity = metric_.velocity(current_.momentum);
    for (std::size_t i = 0; i < state.at.size(); ++i) state.at[i] += step * velocity[i];
}

void NutsTrajectory::accept(const Density& density) {
    const double step = forward_ ? step_size_ : -step_size_;
    current_.state.density = density;
    for (std::size_t i = 0; i < density.gradient.size(); ++i)
        current_.momentum[i] += step / 2 * density.gradient[i];
    const double gained = begun_at_ - energy(current_);
    ++leaps_;
    acceptance_sum_ += std::min(1.0, std::exp(gained));
    if (!(gained >= -divergence)) {
        diverging_ = over_ = true;
        return;
    }
    const End end = end_of(current_);
    parts_.push_back({end, end, current_.momentum, gained, current_.state, 0});
    while (parts_.size() > 1 && parts_.back().doublings == parts_[parts_.size() - 2].doublings)
        if (!join_last()) {
            over_ = true;
            return;
        }
    if (parts_.size() == 1 && parts_.front().doublings == whole_.doublings)
        finish_doubling();
    else
        begin_leap();
}

/// `log_chance`: of the newer part's draw to replace the older one's. False if the joined path, or
/// a part with the nearest point of the other, turns back.
bool NutsTrajectory::join(Part& earlier, Part& later, bool new_is_later, double log_chance,
                          Part& joined) {
    const Part &older = new_is_later ? earlier : later, &newer = new_is_later ? later : earlier;
    joined.log_weight = log_sum(earlier.log_weight, later.log_weight);
    joined.drawn = random_.uniform() < std::exp(log_chance) ? newer.drawn : older.drawn;
    joined.sum = sum(earlier.sum, later.sum);
    joined.doublings = older.doublings + 1;
    joined.first = earlier.first;
    joined.last = later.last;
    return moves_on(earlier.first.velocity, later.last.velocity, joined.sum) &&
           moves_on(earlier.first.velocity, later.first.velocity,
                    sum(earlier.sum, later.first.momentum)) &&
           moves_on(earlier.last.velocity, later.last.velocity,
                    sum(later.sum, earlier.last.momentum));
}

bool NutsTrajectory::join_last() {
    Part newer = std::move(parts_.back());
    parts_.pop_back();
    Part older = std::move(parts_.back());
    parts_.pop_back();
    const double chance = newer.log_weight - log_sum(newer.log_weight, older.log_weight);
    Part joined;
    const bool goes_on = forward_ ? join(older, newer, true, chance, joined)
                                  : join(newer, older, false, chance, joined);
    parts_.push_back(std::move(joined));
    return goes_on;
}

void NutsTrajectory::finish_doubling() {
    Part& newer = parts_.front();
    (forward_ ? last_ : first_) = current_;
    // Biased progressive sampling: far points are preferred.
    const double chance = std::min(0.0, newer.log_weight - whole_.log_weight);
    Part joined;
    over_ = forward_ ? !join(whole_, newer, true, chance, joined)
                     : !join(newer, whole_, false, chance, joined);
    whole_ = std::move(joined);
    if (!over_) begin_doubling();
}

Draw NutsTrajectory::draw() const {
    Draw draw;
    draw.state = whole_.drawn;
    draw.acceptance = acceptance_sum_ / static_cast<double>(leaps_);
    draw.step_size = step_size_;
    draw.energy = begun_at_;
    draw.depth = whole_.doublings;
    draw.leaps = leaps_;
    draw.diverging = diverging_;
    return draw;
}

}  // namespace tessera::likelihood
