#include "likelihood/wedge_geometry.hpp"

#include <cmath>
#include <numbers>

namespace tessera::likelihood {

namespace {

constexpr double radian = std::numbers::pi / 180;

/// Equatorial to Galactic, J2000, with the twelve digits of the application.
constexpr double to_galactic[3][3] = {{-0.054875539726, -0.873437108010, -0.483834985808},
                                      {0.494109453312, -0.444829589425, 0.746982251810},
                                      {-0.867666135858, -0.198076386122, 0.455983795705}};

constexpr double survey_node = 95;  // degrees of right ascension
constexpr double survey_declination = 32.5;
constexpr double stripe_separation = 2.5;
constexpr int last_northern_stripe = 46;

/// Inclination of a stripe's great circle, degrees.
double inclination(int wedge) {
    double eta = stripe_separation * wedge - 57.5;
    if (wedge > last_northern_stripe) eta -= 180;
    return eta + survey_declination;
}

Vec3 unit_vector(double l, double b) {
    return {std::cos(b) * std::cos(l), std::cos(b) * std::sin(l), std::sin(b)};
}

}  // namespace

Direction direction(int wedge, double mu, double nu) {
    const double inc = inclination(wedge) * radian, m = (mu - survey_node) * radian;
    const double cos_nu = std::cos(nu * radian), z = std::sin(nu * radian);
    const double x = std::cos(m) * cos_nu, y = std::sin(m) * cos_nu;
    const double y_eq = y * std::cos(inc) - z * std::sin(inc);
    const double z_eq = y * std::sin(inc) + z * std::cos(inc);
    // (x, y_eq) / |..| are cosine and sine of the right ascension less the node; |..| = cos(dec).
    const double node = survey_node * radian;
    const double equatorial[3] = {x * std::cos(node) - y_eq * std::sin(node),
                                  x * std::sin(node) + y_eq * std::cos(node), z_eq};
    double v[3];
    for (int i = 0; i < 3; ++i)
        v[i] = to_galactic[i][0] * equatorial[0] + to_galactic[i][1] * equatorial[1] +
               to_galactic[i][2] * equatorial[2];
    const double across = std::hypot(v[0], v[1]);
    const double l = across < 1e-15 ? 0 : std::atan2(v[1], v[0]);
    const double b = std::abs(v[2]) < 1e-15 ? 0 : std::atan2(v[2], across);
    return {unit_vector(l, b), l / radian, b / radian};
}

Direction galactic_direction(double l, double b) {
    return {unit_vector(l * radian, b * radian), l, b};
}

Vec3 galactic_position(const Direction& direction, double kpc) {
    return {direction.unit.x * kpc - sun_r0, direction.unit.y * kpc, direction.unit.z * kpc};
}

StreamCylinder cylinder(const io::Stream& stream, int wedge) {
    const Vec3 axis{std::sin(stream.theta) * std::cos(stream.phi),
                    std::sin(stream.theta) * std::sin(stream.phi), std::cos(stream.theta)};
    return {axis, galactic_position(direction(wedge, stream.mu, 0), stream.r),
            1 / (2 * stream.sigma * stream.sigma)};
}

double cell_centre(const io::Cells& cells, int index) {
    return cells.min + (index + 0.5) * cells.step();
}

double nu_weight(const io::Cells& nu, int index) {
    // The difference of sines as a product: no cancellation in narrow cells.
    return 2 * std::cos(cell_centre(nu, index) * radian) * std::sin(nu.step() / 2 * radian);
}

}  // namespace tessera::likelihood
