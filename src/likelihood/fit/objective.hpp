// The function that the optimisers maximise, and its domain.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "likelihood/model/random_stream.hpp"

namespace tessera::likelihood {

using Point = std::vector<double>;

/// The value of a point that is not allowed or not finite.
inline constexpr double rejected = -std::numeric_limits<double>::infinity();

struct Slope {
    double value = rejected;
    Point gradient;  ///< zeros if the value is rejected
};

/// The answer for a point depends on the point alone, never on its batch.
class Objective {
  public:
    virtual ~Objective() = default;
    virtual std::vector<double> values(std::span<const Point> points) = 0;
    virtual std::vector<Slope> slopes(std::span<const Point> points) = 0;
};

/// The unit cube and its equivalent points. In the base class no points are equivalent.
class Space {
  public:
    explicit Space(std::size_t dimension) : dimension_(dimension) {}
    virtual ~Space() = default;

    std::size_t dimension() const { return dimension_; }
    /// Whether a coordinate is an angle that wraps around. It has no bounds, and 1 equals 0.
    virtual bool goes_round(std::size_t) const { return false; }
    /// The point equivalent to `point` that is nearest to `reference`. It may lie outside the cube
    /// in coordinates that wrap around.
    virtual Point image_near(const Point& point, const Point&) const { return point; }
    /// The equivalent point within the cube. Coordinates that do not wrap around stay as they are.
    virtual Point folded(const Point& point) const { return point; }
    /// A random point for the start of a search.
    virtual Point random_point(RandomStream& random) const {
        Point point(dimension_);
        for (double& coordinate : point) coordinate = random.uniform();
        return point;
    }
    /// `point` with a part of it redrawn, which helps to leave a local maximum.
    virtual Point varied(const Point&, RandomStream& random) const { return random_point(random); }

  private:
    std::size_t dimension_;
};

}  // namespace tessera::likelihood
