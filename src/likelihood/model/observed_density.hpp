// The normal distribution of the observables of one star, and the place of a star along its stripe.
// Formulas: docs/method/likelihood.md.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "likelihood/model/model_values.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

/// mu of a star less that of the middle of the wedge, degrees, -180 to 180.
double place_along(const StreamModel& model, const StripeAxes& stripe, const Star& star);

/// The distribution of what is measured of a star, if it belongs to a component: the normal
/// distribution of the component, widened by the errors of the star. Has no dimensions if nothing
/// is measured.
class ObservedNormal {
  public:
    static constexpr std::size_t most = 8;  ///< observables
    using Row = std::array<double, most>;

    /// `observed` is Star::observed. Its values may be missing only.
    ObservedNormal(std::span<const io::Spread> spreads, std::span<const double> observed, double x);

    /// Natural logarithm of the density at the values; 0 if nothing is measured.
    double log_density() const;
    /// Adds `factor` times the derivatives of log_density() by mean, slope, curvature and
    /// dispersion of each observable.
    void add_slopes(double factor, double* to) const;
    /// The values that come from independent standard normal numbers. Those that are not measured
    /// are NaN.
    std::vector<double> values(std::span<const double> normals) const;

  private:
    void factorise();

    std::span<const io::Spread> spreads_;
    double x_;
    std::size_t count_ = 0;  ///< of measured observables
    std::array<std::size_t, most> which_{};
    Row mean_{}, residual_{}, reduced_{};  ///< reduced: the inverse of `lower` times the residual
    std::array<Row, most> lower_{};        ///< Cholesky factor of the covariance
};

}  // namespace tessera::likelihood
