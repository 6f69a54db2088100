#include "likelihood/sample/ridge.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tessera::likelihood {

namespace {

constexpr int way_points = 15, most_steps = 11;
constexpr double longest_step = 1;  // standard deviations, so that neighbours stay together

Point between(const Point& a, const Point& b, double share) {
    Point point = a;
    for (std::size_t i = 0; i < a.size(); ++i) point[i] += share * (b[i] - a[i]);
    return point;
}

/// A way whose points climb.
class Way {
  public:
    Way(const RidgeEnd& from, const RidgeEnd& to, const DensitiesOf& densities)
        : densities_(densities), metric_(from.summit.covariance.n), along_(to.summit.at) {
        for (std::size_t i = 0; i < along_.size(); ++i) along_[i] -= from.summit.at[i];
        for (std::size_t i = 0; i < metric_.values.size(); ++i)
            metric_.values[i] =
                (from.summit.covariance.values[i] + to.summit.covariance.values[i]) / 2;
        inverse_ = power(metric_, -1);
        length2_ = dot(along_, product(inverse_, along_));
        for (int p = 1; p <= way_points; ++p)
            points_.push_back(
                between(from.summit.at, to.summit.at, static_cast<double>(p) / (way_points + 1)));
        here_ = densities_(points_);
        steps_.assign(points_.size(), 1);
    }

    /// Each point tries a step; one that does not lead up is half as long the next time.
    void climb() {
        std::vector<Point> tried;
        for (std::size_t p = 0; p < points_.size(); ++p) tried.push_back(above(p));
        const auto there = densities_(tried);
        for (std::size_t p = 0; p < points_.size(); ++p) {
            const bool rises = there[p].log > here_[p].log;
            steps_[p] = rises ? std::min(2 * steps_[p], 1.0) : steps_[p] / 2;
            if (!rises) continue;
            points_[p] = tried[p];
            here_[p] = there[p];
        }
    }

    double lowest() const { return std::ranges::min_element(here_, {}, &Density::log)->log; }
    const std::vector<Point>& points() const { return points_; }

  private:
    /// The point to which the next step of point p leads, at right angles to the straight line.
    Point above(std::size_t p) const {
        Point point = points_[p];
        if (!(here_[p].log > rejected)) return point;
        Point step = product(metric_, here_[p].gradient);
        const double forward = dot(along_, here_[p].gradient) / length2_;
        for (std::size_t i = 0; i < step.size(); ++i) step[i] -= forward * along_[i];
        const double size = std::sqrt(std::max(0.0, dot(step, product(inverse_, step))));
        const double scale = steps_[p] * std::min(1.0, longest_step / std::max(size, 1e-300));
        for (std::size_t i = 0; i < step.size(); ++i) point[i] += scale * step[i];
        return point;
    }

    const DensitiesOf& densities_;
    Matrix metric_, inverse_;
    Point along_;
    double length2_ = 0;
    std::vector<Point> points_;
    std::vector<Density> here_;
    std::vector<double> steps_;
};

}  // namespace

bool ridge_connects(const RidgeEnd& from, const RidgeEnd& to, double dip,
                    const DensitiesOf& densities, const DensitiesOf& log_densities) {
    const double least = std::min(from.log_density, to.log_density) - dip;
    Way way(from, to, densities);
    for (int step = 0; step < most_steps; ++step) way.climb();
    if (way.lowest() < least) return false;
    // Neighbours may have climbed two ridges with a valley between them.
    std::vector<Point> middles;
    const Point* before = &from.summit.at;
    for (const Point& point : way.points()) {
        middles.push_back(between(*before, point, 0.5));
        before = &point;
    }
    middles.push_back(between(*before, to.summit.at, 0.5));
    return std::ranges::all_of(log_densities(middles),
                               [&](const Density& middle) { return middle.log >= least; });
}

}  // namespace tessera::likelihood
