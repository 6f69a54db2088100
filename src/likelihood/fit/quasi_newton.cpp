#include "likelihood/fit/quasi_newton.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::likelihood {

namespace {

constexpr double sufficient = 1e-4;    // share of the promised gain that a step must achieve
constexpr double longest_step = 0.15;  // in the cube, in any coordinate
constexpr double first_step = 0.02;
constexpr double shortest = 1e-10;  // shortest step before a direction is given up
constexpr double at_bound = 1e-9;

double largest(const Point& point) {
    double found = 0;
    for (const double x : point) found = std::max(found, std::abs(x));
    return found;
}

}  // namespace

QuasiNewton::QuasiNewton(const Space& space, Point start, const QuasiNewtonOptions& options,
                         const Matrix* curvature)
    : space_(&space), options_(options), at_(std::move(start)), trial_(at_) {
    if (curvature) curvature_ = *curvature, fresh_ = false;
}

std::vector<std::size_t> QuasiNewton::loose() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < at_.size(); ++i) {
        const bool held =
            !space_->goes_round(i) && ((at_[i] <= at_bound && slope_.gradient[i] <= 0) ||
                                       (at_[i] >= 1 - at_bound && slope_.gradient[i] >= 0));
        if (!held) found.push_back(i);
    }
    return found;
}

void QuasiNewton::accept(const Slope& slope) {
    ++evaluations_;
    if (state_ == State::first) {
        slope_ = slope;
        if (!(slope.value > rejected)) return finish(false);
        state_ = State::searching;
        if (fresh_) reset_curvature();
        return plan_step();
    }
    Point step(at_.size());
    for (std::size_t i = 0; i < step.size(); ++i) step[i] = trial_[i] - at_[i];
    const double promised = dot(slope_.gradient, step);
    const double noise = options_.noise * std::abs(slope_.value);
    if (!(slope.value >= slope_.value + sufficient * promised - noise)) return shorten(slope.value);
    update_curvature(step, slope.gradient);
    at_ = trial_;
    slope_ = slope;
    plan_step();
}

void QuasiNewton::plan_step() {
    if (evaluations_ >= options_.evaluations) return finish(false);
    const auto kept = loose();
    Point gradient;
    for (const std::size_t i : kept) gradient.push_back(slope_.gradient[i]);
    auto solved = solve_positive(submatrix(curvature_, kept), gradient);
    if (!solved) {
        reset_curvature();
        solved = solve_positive(submatrix(curvature_, kept), gradient);
    }
    if (!solved || dot(*solved, gradient) / 2 < options_.gain) return finish(solved.has_value());
    direction_.assign(at_.size(), 0.0);
    for (std::size_t k = 0; k < kept.size(); ++k) direction_[kept[k]] = (*solved)[k];
    length_ = std::min(1.0, longest_step / largest(direction_));
    place_trial();
}

void QuasiNewton::place_trial() {
    for (std::size_t i = 0; i < at_.size(); ++i) {
        trial_[i] = at_[i] + length_ * direction_[i];
        if (!space_->goes_round(i)) trial_[i] = std::clamp(trial_[i], 0.0, 1.0);
    }
}

/// Shortens the step to the maximum of the parabola through the value and slope here and the value
/// of the trial, within limits.
void QuasiNewton::shorten(double trial_value) {
    if (evaluations_ >= options_.evaluations) return finish(false);
    const double rise = length_ * dot(slope_.gradient, direction_);
    double factor = 0.1;
    if (trial_value > rejected) {
        const double bend = rise - (trial_value - slope_.value);
        if (bend > 0) factor = std::clamp(rise / (2 * bend), 0.1, 0.5);
    }
    length_ *= factor;
    if (length_ * largest(direction_) > shortest) return place_trial();
    if (fresh_) return finish(false);
    reset_curvature();
    plan_step();
}

void QuasiNewton::finish(bool converged) {
    converged_ = converged;
    state_ = State::done;
}

/// Sets a multiple of the unit matrix that makes the first step short.
void QuasiNewton::reset_curvature() {
    const double steepest = std::max(largest(slope_.gradient), 1e-300);
    curvature_ = Matrix(at_.size(), steepest / first_step);
    fresh_ = true;
}

void QuasiNewton::update_curvature(const Point& step, const Point& gradient) {
    const std::size_t n = step.size();
    Point change(n);  // decrease of the gradient
    for (std::size_t i = 0; i < n; ++i) change[i] = slope_.gradient[i] - gradient[i];
    double bend = dot(step, change);
    if (fresh_ && bend > 0) curvature_ = Matrix(n, dot(change, change) / bend);
    fresh_ = false;
    const Point carried = product(curvature_, step);
    const double expected = dot(step, carried);
    if (!(expected > 0)) return;
    if (bend < 0.2 * expected) {  // Powell's damping keeps the matrix positive definite
        const double share = 0.8 * expected / (expected - bend);
        for (std::size_t i = 0; i < n; ++i)
            change[i] = share * change[i] + (1 - share) * carried[i];
        bend = dot(step, change);
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            curvature_(i, j) += change[i] * change[j] / bend - carried[i] * carried[j] / expected;
}

}  // namespace tessera::likelihood
