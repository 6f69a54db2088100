// What the optimisers maximise, and where.
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
    Point gradient;  ///< zeros where the value is rejected
};

/// Answers depend on each point alone, never on the batch it comes in.
class Objective {
  public:
    virtual ~Objective() = default;
    virtual std::vector<double> values(std::span<const Point> points) = 0;
    virtual std::vector<Slope> slopes(std::span<const Point> points) = 0;
};

/// The unit cube and which of its points are equivalent. The base class: all are different.
class Space {
  public:
    explicit Space(std::size_t dimension) : dimension_(dimension) {}
    virtual ~Space() = default;

    std::size_t dimension() const { return dimension_; }
    /// Whether a coordinate is an angle that goes round: it has no bounds, 1 and 0 are the same.
    virtual bool goes_round(std::size_t) const { return false; }
    /// The point equivalent to `point` that is nearest to `reference`; may lie outside the cube in
    /// coordinates that go round.
    virtual Point image_near(const Point& point, const Point&) const { return point; }
    /// The equivalent point within the cube; coordinates that do not go round are left as they are.
    virtual Point folded(const Point& point) const { return point; }
    /// A point for a search to begin with.
    virtual Point random_point(RandomStream& random) const {
        Point point(dimension_);
        for (double& coordinate : point) coordinate = random.uniform();
        return point;
    }
    /// `point` with some part of it drawn anew, to leave a local maximum by.
    virtual Point varied(const Point&, RandomStream& random) const { return random_point(random); }

  private:
    std::size_t dimension_;
};

}  // namespace tessera::likelihood
