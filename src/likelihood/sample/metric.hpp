// The metric of Hamiltonian Monte Carlo: an estimate of the covariance of the posterior.
#pragma once

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

}  // namespace tessera::likelihood
