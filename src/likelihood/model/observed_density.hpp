// The normal distribution that simulated observables of a star are drawn from, and the place of a
// star along its stripe. The densities of the likelihood are in kokkos_kernels/likelihood/observed.
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

    /// The values that come from independent standard normal numbers. Those that are not measured
    /// are NaN.
    std::vector<double> values(std::span<const double> normals) const;

  private:
    void factorise();

    std::size_t all_;        ///< observables
    std::size_t count_ = 0;  ///< of them that are measured
    std::array<std::size_t, most> which_{};
    Row mean_{};
    std::array<Row, most> lower_{};  ///< Cholesky factor of the covariance
};

}  // namespace tessera::likelihood
