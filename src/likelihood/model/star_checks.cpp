#include "likelihood/model/star_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "io/text/agreeing.hpp"
#include "io/text/counted.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

/// In degrees or magnitudes, because stars and limits are rounded in files.
constexpr double slack = 0.01;

bool within(const io::Cells& limits, double value) {
    return value >= limits.min - slack && value <= limits.max + slack;
}

/// Whether an angle is within the limits, up to whole turns.
bool within_turns(const io::Cells& limits, double degrees) {
    for (int turn = -4; turn <= 4; ++turn)
        if (within(limits, degrees + 360 * turn)) return true;
    return false;
}

bool is_inside(const io::Area& wedge, const StripeAxes& stripe, const Star& star) {
    constexpr double degree = 180 / units::pi;
    const Vec3 unit = galactic_direction(star.l, star.b).unit;
    const auto along = [&](std::size_t axis) { return dot(unit, stripe.axes[axis]); };
    return within(wedge.r, magnitude_at(star.r)) &&
           within(wedge.nu, std::asin(std::clamp(along(2), -1.0, 1.0)) * degree) &&
           within_turns(wedge.mu, survey_node + std::atan2(along(1), along(0)) * degree);
}

std::string count_line(std::int64_t outside, std::size_t stars, const std::string& star_file) {
    return fmt::format("{} of the {} of '{}' {} outside the wedge", outside,
                       io::counted(stars, "star"), star_file, io::agreeing(outside, "lies", "lie"));
}

}  // namespace

std::int64_t stars_outside(const StreamModel& model, std::span<const Star> stars) {
    const StripeAxes stripe = stripe_axes(model.wedge);
    return std::ranges::count_if(
        stars, [&](const Star& star) { return !is_inside(model.areas[0], stripe, star); });
}

std::vector<std::string> star_warnings(const StreamModel& model, std::span<const Star> stars,
                                       const std::string& star_file) {
    const std::int64_t outside = stars_outside(model, stars);
    if (outside == 0) return {};
    return {
        fmt::format("warning: {} in r, mu or nu (the model does not describe them): the likelihood "
                    "is not that of the stars of the wedge",
                    count_line(outside, stars.size(), star_file))};
}

void require_stars_inside(const StreamModel& model, std::span<const Star> stars,
                          const std::string& star_file) {
    const std::int64_t outside = stars_outside(model, stars);
    if (outside > 0)
        throw Error(count_line(outside, stars.size(), star_file),
                    io::agreeing(outside, "its", "their") +
                        " r, mu or nu is not in the first area; " +
                        io::agreeing(outside, "it", "they") + " may belong to another wedge",
                    "check the wedge, its area and the order of --stars, remove the stars, or add "
                    "--allow-stars-outside");
}

}  // namespace tessera::likelihood
