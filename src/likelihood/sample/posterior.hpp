// The posterior of the stream model over unbounded coordinates.
#pragma once

#include <vector>

#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/stream_space.hpp"
#include "likelihood/sample/prior.hpp"

namespace tessera::likelihood {

/// The logarithm of a density at a point, with its gradient. Natural logarithms without constants.
struct Density {
    double log = rejected;
    Point gradient;        ///< over the unbounded coordinates; empty if it was not asked for
    double objective = 0;  ///< the value of the objective there
};

/// A point over the unbounded coordinates, with the gradient of the density there.
struct Image {
    Point line, gradient;
};

/// Turns answers of an objective over the cube into densities over unbounded coordinates.
class Posterior {
  public:
    /// `unit`: the natural logarithm of the likelihood per unit of the objective. `space` must
    /// outlive the posterior.
    Posterior(const StreamSpace& space, std::vector<Prior> priors, double unit)
        : space_(space), priors_(std::move(priors)), unit_(unit) {}

    std::size_t dimension() const { return priors_.size(); }
    /// The point of the cube at which the objective is to be asked.
    Point cube(const Point& line) const;
    Point line(const Point& cube) const;
    Density density(const Point& line, const Slope& slope) const;
    /// Without gradient.
    double log_density(const Point& line, double objective) const;
    /// The natural logarithm of likelihood and prior of a point in the units of the parameters,
    /// without constants.
    double log_posterior(const Point& cube, double objective) const;

    /// The equivalent point nearest to `reference`, both in the cube.
    Point image_near(const Point& cube, const Point& reference) const {
        return space_.image_near(cube, reference);
    }
    /// The equivalent point nearest to `reference` (in the cube), over the unbounded coordinates,
    /// with the gradient that it has if `line` has `gradient`.
    Image line_near(const Point& line, const Point& gradient, const Point& reference) const;
    std::vector<double> values(const Point& cube) const { return space_.values(cube); }
    const StreamSpace& space() const { return space_; }
    const std::vector<Prior>& priors() const { return priors_; }
    double unit() const { return unit_; }

  private:
    bool contains(const Point& line) const;

    const StreamSpace& space_;
    std::vector<Prior> priors_;
    double unit_;
};

/// The objective and the priors, over the cube: what a climb to the most probable model maximises.
class PriorObjective : public Objective {
  public:
    PriorObjective(Objective& inner, const Posterior& posterior)
        : inner_(inner), posterior_(posterior) {}
    std::vector<double> values(std::span<const Point> points) override;
    std::vector<Slope> slopes(std::span<const Point> points) override;

  private:
    Objective& inner_;
    const Posterior& posterior_;
};

}  // namespace tessera::likelihood
