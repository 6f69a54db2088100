#include "likelihood/fit/profile_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tessera::likelihood {

namespace {

constexpr double root_tolerance = 0.002;  // of sqrt(2 drop), about standard errors
constexpr double least_width = 1e-4;      // of a bracket, in standard errors
constexpr double clearly_better = 0.01;   // log likelihood above the maximum
constexpr int most_steps = 30;            // for one level
constexpr int steps_by_secant = 8;        // then the bracket is halved
constexpr double longest_factor = 3;      // by which a distance may grow in a step

}  // namespace

ProfileWalk::ProfileWalk(const ProfileStart& start, std::size_t parameter, int side)
    : start_(start), parameter_(parameter), side_(side), slice_(start.space, parameter) {
    const Point& best = start.best.at;
    Place top;
    std::vector<std::size_t> kept;
    std::vector<double> coupling;
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (i == parameter) continue;
        kept.push_back(i);
        top.others.push_back(best[i]);
        coupling.push_back(-start.curvature(i, parameter));
    }
    curvature_ = submatrix(start.curvature, kept);
    const auto solved = solve_positive(curvature_, coupling);
    along_ = solved ? *solved : Point(kept.size(), 0.0);
    const double left = start.curvature(parameter, parameter) - dot(coupling, along_);
    most_ = start.space.goes_round(parameter) ? 0.5
            : side < 0                        ? std::max(0.0, best[parameter])
                                              : std::max(0.0, 1 - best[parameter]);
    error_ = left > 0 ? 1 / std::sqrt(left * start.unit) : most_;
    error_ = std::min(error_, most_);
    places_.push_back(std::move(top));
    if (most_ > 0)
        go_to(error_);
    else
        while (!over()) end_level(0, EndKind::at_bound);
}

double ProfileWalk::coordinate(double distance) const {
    const double x = start_.best.at[parameter_] + side_ * distance;
    return start_.space.goes_round(parameter_) ? x : std::clamp(x, 0.0, 1.0);
}

Point ProfileWalk::whole(const Point& others, double coordinate) const {
    Point point = others;
    point.insert(point.begin() + static_cast<std::ptrdiff_t>(parameter_), coordinate);
    return point;
}

/// The others where the maximum is expected: on the line through the two nearest places, or by the
/// Hessian if only the maximum is known.
Point ProfileWalk::predicted(double distance) const {
    Point others = places_.front().others;
    if (places_.size() == 1) {
        for (std::size_t k = 0; k < others.size(); ++k) others[k] += side_ * distance * along_[k];
    } else {
        auto after = std::ranges::find_if(
            places_, [&](const Place& place) { return place.distance >= distance; });
        if (after == places_.end()) --after;
        const Place &b = *after, &a = *(after - 1);
        const double share = (distance - a.distance) / (b.distance - a.distance);
        for (std::size_t k = 0; k < others.size(); ++k)
            others[k] = a.others[k] + share * (b.others[k] - a.others[k]);
    }
    for (std::size_t k = 0; k < others.size(); ++k)
        if (!slice_.goes_round(k)) others[k] = std::clamp(others[k], 0.0, 1.0);
    return others;
}

void ProfileWalk::go_to(double distance) {
    ++steps_;
    distance_ = std::min(distance, most_);
    climb_.emplace(slice_, predicted(distance_), start_.climb, &curvature_);
}

void ProfileWalk::accept(const Slope& slope) {
    Slope sliced = slope;
    sliced.gradient.erase(sliced.gradient.begin() + static_cast<std::ptrdiff_t>(parameter_));
    climb_->accept(sliced);
    if (climb_->over()) place_done();
}

void ProfileWalk::place_done() {
    const double value = climb_->slope().value;
    const double drop = start_.unit * (start_.best.value - value);
    const Point at = whole(climb_->at(), coordinate(distance_));
    if (drop < -clearly_better) {
        better_ = Candidate{at, value};
        return;
    }
    points_.push_back({at[parameter_], drop, at});
    // A place without a likelihood cannot predict others.
    const Place place{distance_, std::sqrt(2 * std::max(drop, 0.0)),
                      value > rejected ? climb_->at() : places_.back().others};
    places_.insert(std::ranges::upper_bound(places_, distance_, {}, &Place::distance), place);
    next_step();
}

/// Ends all levels that the places answer, and goes on for the next one.
void ProfileWalk::next_step() {
    while (!over()) {
        const double target = std::sqrt(2 * profile_levels[level_]);
        const auto found = std::ranges::find_if(places_, [&](const Place& place) {
            return std::abs(place.root - target) <= root_tolerance;
        });
        if (found != places_.end()) {
            end_level(found->distance, EndKind::found);
            continue;
        }
        const auto outer =
            std::ranges::find_if(places_, [&](const Place& place) { return place.root > target; });
        const Place& inner = *(outer - 1);
        if (outer == places_.end()) {
            if (inner.distance >= most_) {
                end_level(most_, EndKind::at_bound);
                continue;
            }
            if (steps_ < most_steps) return go_to(farther(inner, target));
            end_level(inner.distance, EndKind::not_found);
            continue;
        }
        const double width = outer->distance - inner.distance;
        if (width < least_width * error_ || steps_ >= most_steps) {
            end_level(inner.distance + width / 2,
                      width < least_width * error_ ? EndKind::found : EndKind::not_found);
            continue;
        }
        double share = (target - inner.root) / (outer->root - inner.root);
        if (!std::isfinite(outer->root) || steps_ > steps_by_secant) share = 0.5;
        return go_to(inner.distance + std::clamp(share, 0.02, 0.98) * width);
    }
}

/// The next distance beyond the farthest place, by the slope between the last two.
double ProfileWalk::farther(const Place& inner, double target) const {
    const Place& before = places_[places_.size() - 2];
    const double slope = (inner.root - before.root) / (inner.distance - before.distance);
    const double wanted = inner.distance + 1.02 * (target - inner.root) / slope;
    const double most = longest_factor * inner.distance;
    return slope > 0 ? std::clamp(wanted, 1.02 * inner.distance, most) : most;
}

void ProfileWalk::end_level(double distance, EndKind kind) {
    const double end = start_.best.at[parameter_] + side_ * distance;
    ends_.push_back({start_.space.goes_round(parameter_) ? end : std::clamp(end, 0.0, 1.0), kind});
    ++level_;
    steps_ = 0;
}

}  // namespace tessera::likelihood
