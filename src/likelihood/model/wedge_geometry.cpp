#include "likelihood/model/wedge_geometry.hpp"

#include <cmath>

#include "core/units.hpp"

namespace tessera::likelihood {

namespace {

/// Equatorial (J2000) to Galactic coordinates, with the twelve digits of the MilkyWay@Home
/// application.
constexpr double to_galactic[3][3] = {{-0.054875539726, -0.873437108010, -0.483834985808},
                                      {0.494109453312, -0.444829589425, 0.746982251810},
                                      {-0.867666135858, -0.198076386122, 0.455983795705}};

constexpr double survey_declination = 32.5;
constexpr double stripe_separation = 2.5;
constexpr int last_northern_stripe = 46;

/// Inclination of the great circle of a stripe in degrees.
double inclination(int wedge) {
    double eta = stripe_separation * wedge - 57.5;
    if (wedge > last_northern_stripe) eta -= 180;
    return eta + survey_declination;
}

Vec3 unit_vector(double l, double b) {
    return {std::cos(b) * std::cos(l), std::cos(b) * std::sin(l), std::sin(b)};
}

}  // namespace

StripeAxes stripe_axes(int wedge) {
    const double inc = inclination(wedge) * units::degree, node = survey_node * units::degree;
    const auto galactic = [](const double(&v)[3]) {
        double g[3];
        for (int i = 0; i < 3; ++i)
            g[i] = to_galactic[i][0] * v[0] + to_galactic[i][1] * v[1] + to_galactic[i][2] * v[2];
        return Vec3{g[0], g[1], g[2]};
    };
    // The plane is rotated by its inclination about the node, then by the longitude of the node.
    return {
        {galactic({std::cos(node), std::sin(node), 0}),
         galactic({-std::sin(node) * std::cos(inc), std::cos(node) * std::cos(inc), std::sin(inc)}),
         galactic(
             {std::sin(node) * std::sin(inc), -std::cos(node) * std::sin(inc), std::cos(inc)})}};
}

Direction direction(int wedge, double mu, double nu) {
    const StripeAxes stripe = stripe_axes(wedge);
    const double m = (mu - survey_node) * units::degree, n = nu * units::degree;
    const Vec3 v = std::cos(n) * (std::cos(m) * stripe.axes[0] + std::sin(m) * stripe.axes[1]) +
                   std::sin(n) * stripe.axes[2];
    const double across = std::hypot(v.x, v.y);
    const double l = across < 1e-15 ? 0 : std::atan2(v.y, v.x);
    const double b = std::abs(v.z) < 1e-15 ? 0 : std::atan2(v.z, across);
    return {unit_vector(l, b), l / units::degree, b / units::degree};
}

Direction galactic_direction(double l, double b) {
    return {unit_vector(l * units::degree, b * units::degree), l, b};
}

/// The inverse of the rotation is its transpose, to the twelve digits that it has.
Vec3 equatorial_direction(const Vec3& galactic) {
    const double g[3] = {galactic.x, galactic.y, galactic.z};
    double v[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) v[i] += to_galactic[k][i] * g[k];
    return {v[0], v[1], v[2]};
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
    // The difference of sines is written as a product, which avoids cancellation in narrow cells.
    return 2 * std::cos(cell_centre(nu, index) * units::degree) *
           std::sin(nu.step() / 2 * units::degree);
}

}  // namespace tessera::likelihood
