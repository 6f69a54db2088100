// One side of a profile likelihood: from the maximum outwards along one parameter.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "likelihood/fit/maximise.hpp"
#include "likelihood/fit/quasi_newton.hpp"

namespace tessera::likelihood {

/// Drops of the natural logarithm of the likelihood that end the intervals of 68.27 and 95.45 %
/// (Wilks 1938: twice the drop follows chi-squared with one degree of freedom).
inline constexpr std::array<double, 2> profile_levels{0.5, 2.0};

enum class EndKind {
    found,     ///< the profile has dropped by the level
    at_bound,  ///< it has dropped by less at the bound, or half a turn away
    not_found  ///< too many steps; the value is the best estimate
};

struct ProfileEnd {
    double coordinate = 0;  ///< in the cube
    EndKind kind = EndKind::not_found;
};

/// A point of a profile: the maximum over all other parameters.
struct ProfilePoint {
    double coordinate = 0;  ///< of the parameter, in the cube
    double drop = 0;        ///< below the maximum, natural logarithm; infinite: no likelihood there
    Point at;
};

/// What a profile begins with.
struct ProfileStart {
    const Space& space;
    const Candidate& best;
    const Matrix& curvature;  ///< Maximum::curvature
    double unit;              ///< log_likelihood_unit of the plan
    QuasiNewtonOptions climb;
};

/// Looks for the ends of the profile on one side. At each value of the parameter a quasi-Newton
/// climb maximises over the others. It begins where the points before predict the maximum, at first
/// by the Hessian. The root of sqrt(2 drop) - sqrt(2 level) is bracketed and found by the secant
/// rule, because sqrt(2 drop) is a straight line for a parabola. The caller alternates proposal()
/// and accept() until the walk is over, so all walks can share a batch.
class ProfileWalk {
  public:
    /// `side` is -1 or 1. `start` must outlive the walk.
    ProfileWalk(const ProfileStart& start, std::size_t parameter, int side);
    ProfileWalk(const ProfileWalk&) = delete;  // the climb points to the slice
    ProfileWalk& operator=(const ProfileWalk&) = delete;

    bool over() const { return level_ == profile_levels.size() || better_; }
    /// The point whose slope accept() needs next.
    Point proposal() const { return whole(climb_->proposal(), coordinate(distance_)); }
    void accept(const Slope& slope);

    std::size_t parameter() const { return parameter_; }
    int side() const { return side_; }
    /// One for each level.
    const std::vector<ProfileEnd>& ends() const { return ends_; }
    const std::vector<ProfilePoint>& points() const { return points_; }
    /// A point that is higher than the maximum, if the walk met one. The walk then is over.
    const std::optional<Candidate>& better() const { return better_; }

  private:
    /// The other coordinates of the cube.
    class Slice : public Space {
      public:
        Slice(const Space& space, std::size_t left_out)
            : Space(space.dimension() - 1), space_(space), left_out_(left_out) {}
        bool goes_round(std::size_t i) const override {
            return space_.goes_round(i < left_out_ ? i : i + 1);
        }

      private:
        const Space& space_;
        std::size_t left_out_;
    };
    /// A place that is done. Distances are from the maximum, in the cube.
    struct Place {
        double distance = 0;
        double root = 0;  ///< sqrt(2 drop)
        Point others;
    };

    double coordinate(double distance) const;
    Point whole(const Point& others, double coordinate) const;
    void go_to(double distance);
    void place_done();
    void next_step();
    void end_level(double distance, EndKind kind);
    double farther(const Place& inner, double target) const;
    Point predicted(double distance) const;

    const ProfileStart& start_;
    std::size_t parameter_;
    int side_;
    Slice slice_;
    Matrix curvature_;  // of the slice
    Point along_;       // change of the others along the parameter, by the Hessian
    double most_ = 0;   // largest distance
    double error_ = 0;  // standard error that the Hessian gives, at most most_
    double distance_ = 0;
    int steps_ = 0;  // of this level
    std::size_t level_ = 0;
    std::optional<QuasiNewton> climb_;
    std::vector<Place> places_;  // by distance; the maximum first
    std::vector<ProfileEnd> ends_;
    std::vector<ProfilePoint> points_;
    std::optional<Candidate> better_;
};

}  // namespace tessera::likelihood
