// The metric of Hamiltonian Monte Carlo: an estimate of the covariance of the posterior.
#pragma once

#include <cstdint>

#include "likelihood/fit/objective.hpp"
#include "likelihood/fit/small_matrix.hpp"

namespace tessera::likelihood {

/// The inverse of the mass matrix is a covariance, so trajectories see a posterior with round
/// contours (Betancourt 2017, section 4.2).
class Metric {
  public:
    /// `covariance` must be positive definite.
    explicit Metric(Matrix covariance);

    /// A momentum, normally distributed with the mass matrix as covariance.
    Point momentum(RandomStream& random) const;
    /// dq/dt.
    Point velocity(const Point& momentum) const { return product(covariance_, momentum); }
    /// A displacement, normally distributed with the covariance.
    Point displacement(RandomStream& random) const;

  private:
    Matrix covariance_;
    Matrix lower_;  ///< Cholesky factor of the covariance
};

/// The mean and covariance of points that come one by one (Welford 1962).
class RunningCovariance {
  public:
    explicit RunningCovariance(std::size_t dimension) : mean_(dimension, 0.0), sums_(dimension) {}
    void add(const Point& point);
    /// The sample covariance, with correlations shrunk by 5 / (count + 5) because there are few
    /// points.
    Matrix shrunk() const;

  private:
    std::int64_t count_ = 0;
    Point mean_;
    Matrix sums_;
};

}  // namespace tessera::likelihood
