// Stripe coordinates on the sky and in the Galaxy. Formulas: docs/method/likelihood.md.
#pragma once

#include <array>

#include "core/vec3.hpp"
#include "io/streams/stream_model.hpp"

namespace tessera::likelihood {

/// Distance of the Sun from the Galactic centre in kpc. The Sun is at (-sun_r0, 0, 0).
inline constexpr double sun_r0 = 8.5;

/// A line of sight: unit vector towards (l, b), angles in degrees.
struct Direction {
    Vec3 unit;
    double l = 0, b = 0;
};

/// The direction of stripe coordinates (degrees; mu may exceed 360).
Direction direction(int wedge, double mu, double nu);

/// The axes of a stripe in Galactic coordinates: direction(mu, nu) is along
/// cos nu (cos m axes[0] + sin m axes[1]) + sin nu axes[2], where m = mu - survey_node.
struct StripeAxes {
    std::array<Vec3, 3> axes;  ///< not quite orthonormal: the published matrix has twelve digits
};
inline constexpr double survey_node = 95;  ///< degrees
StripeAxes stripe_axes(int wedge);

/// The direction of a Galactic longitude and latitude in degrees.
Direction galactic_direction(double l, double b);

/// The same direction in equatorial (J2000) coordinates.
Vec3 equatorial_direction(const Vec3& galactic);

/// Galactocentric Cartesian coordinates (kpc) at a distance from the Sun.
Vec3 galactic_position(const Direction& direction, double kpc);

/// An infinite cylinder with a Gaussian profile: density exp(-d^2 inverse_two_sigma2) at distance d
/// from the axis.
struct StreamCylinder {
    Vec3 axis;    ///< unit vector
    Vec3 centre;  ///< galactocentric, kpc
    double inverse_two_sigma2 = 0;
};

StreamCylinder cylinder(const io::Stream& stream, int wedge);

/// Centre of cell `index`, in the unit of `cells`.
double cell_centre(const io::Cells& cells, int index);

/// sin(nu upper) - sin(nu lower) of cell `index` of nu, a factor of its solid angle.
double nu_weight(const io::Cells& nu, int index);

}  // namespace tessera::likelihood
