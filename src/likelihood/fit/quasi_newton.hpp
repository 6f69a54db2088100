// Climbs to the nearest maximum within the unit cube, with exact gradients.
#pragma once

#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/population_search.hpp"
#include "likelihood/fit/small_matrix.hpp"

namespace tessera::likelihood {

struct QuasiNewtonOptions {
    double gain = 1e-12;   ///< the climb ends if the next step promises less
    double noise = 1e-13;  ///< relative error of the values; a loss up to this is accepted
    int evaluations = 1000;
};

/// Projected BFGS (Bertsekas 1982; damped updates of Powell 1978; Nocedal & Wright 2006, 18.3). A
/// coordinate is held if it is at a bound and the gradient points outwards. The others take a
/// quasi-Newton step, which is projected into the cube. The caller alternates proposal() and
/// accept() until the climb is over, so several climbs can share a batch of evaluations.
class QuasiNewton {
  public:
    /// `curvature`, if given, is the first estimate of minus the Hessian. It must be positive
    /// definite.
    QuasiNewton(const Space& space, Point start, const QuasiNewtonOptions& options,
                const Matrix* curvature = nullptr);

    bool over() const { return state_ == State::done; }
    /// Whether the climb ended because no step promises a gain.
    bool converged() const { return converged_; }
    /// The point whose slope accept() needs next.
    const Point& proposal() const { return trial_; }
    void accept(const Slope& slope);

    const Point& at() const { return at_; }
    const Slope& slope() const { return slope_; }
    const Matrix& curvature() const { return curvature_; }
    int evaluations() const { return evaluations_; }
    /// Coordinates that are not held at a bound.
    std::vector<std::size_t> loose() const;

  private:
    enum class State { first, searching, done };
    void plan_step();
    void shorten(double trial_value);
    void finish(bool converged);
    void place_trial();
    void update_curvature(const Point& step, const Point& gradient);
    void reset_curvature();

    const Space* space_;
    QuasiNewtonOptions options_;
    State state_ = State::first;
    bool converged_ = false, fresh_ = true;  // fresh: the curvature is a guess
    Point at_, trial_, direction_;
    Slope slope_;
    Matrix curvature_;
    double length_ = 1;  // length of the step in units of direction_
    int evaluations_ = 0;
};

}  // namespace tessera::likelihood
