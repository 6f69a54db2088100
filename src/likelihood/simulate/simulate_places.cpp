#include "likelihood/simulate/simulate_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/cross.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

class StreamDrawer : public PlaceDrawer {
  public:
    StreamDrawer(const StreamModel& model, std::size_t stream)
        : frame_(model.wedge),
          area_(model.areas.front()),
          tube_(cylinder(model.streams[stream], model.wedge)),
          sigma_(std::abs(model.streams[stream].sigma)) {
        tube_.centre.x += sun_r0;  // heliocentric from here on
        const Vec3 aside = std::abs(tube_.axis.z) < 0.7 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
        first_ = cross(tube_.axis, aside);
        first_ = (1 / norm(first_)) * first_;
        second_ = cross(tube_.axis, first_);
        limit_axis(stream);
    }

    std::optional<Place> draw(RandomStream& random, double) const override {
        const double along = random.uniform(begin_, end_);
        const double u = sigma_ * random.normal(), v = sigma_ * random.normal();
        const Vec3 at = tube_.centre + along * tube_.axis + u * first_ + v * second_;
        const double distance = norm(at);
        if (!(distance > 0)) return std::nullopt;
        Place place;
        frame_.coordinates((1 / distance) * at, area_.mu.min, place.mu, place.nu);
        if (place.mu > area_.mu.max || place.nu < area_.nu.min || place.nu > area_.nu.max)
            return std::nullopt;
        place.magnitude = magnitude_at(distance);
        return place;
    }

  private:
    /// Limits the axis to the part from which stars can reach the sphere and the slab of the wedge.
    void limit_axis(std::size_t stream) {
        const double farthest = distance_of(area_.r.max + widest_offset);
        const double off = far_off_axis * sigma_, reach = farthest + off;
        const double nearest = dot(tube_.centre, tube_.axis);
        const double distance2 = dot(tube_.centre, tube_.centre) - nearest * nearest;
        const double half = std::sqrt(std::max(0.0, reach * reach - distance2));
        begin_ = -nearest - half, end_ = -nearest + half;
        const double slope = dot(tube_.axis, frame_.pole());
        const double height = dot(tube_.centre, frame_.pole());
        const double off_slab = off * std::sqrt(std::max(0.0, 1 - slope * slope));
        const double low =
            std::min(0.0, farthest * std::sin(area_.nu.min * units::degree)) - off_slab;
        const double high =
            std::max(0.0, farthest * std::sin(area_.nu.max * units::degree)) + off_slab;
        if (std::abs(slope) > 1e-9) {
            const double one = (low - height) / slope, other = (high - height) / slope;
            begin_ = std::max(begin_, std::min(one, other));
            end_ = std::min(end_, std::max(one, other));
        } else if (height < low || height > high) {
            end_ = begin_;
        }
        if (!(begin_ < end_))
            throw Error(fmt::format("cannot draw stars of stream {}", stream + 1),
                        "it does not come near the wedge", "correct its mu, r, theta and phi",
                        ExitCode::numerics);
    }

    StripeFrame frame_;
    io::Area area_;
    StreamCylinder tube_;
    double sigma_;
    Vec3 first_, second_;  // across the axis
    double begin_ = 0, end_ = 0;
};

}  // namespace

StripeFrame::StripeFrame(int wedge)
    : x_(direction(wedge, 0, 0).unit),
      y_(direction(wedge, 90, 0).unit),
      z_(direction(wedge, 0, 90).unit) {}

Vec3 StripeFrame::unit(double mu, double sin_nu) const {
    const double across = std::sqrt(1 - sin_nu * sin_nu);
    return across * std::cos(mu * units::degree) * x_ + across * std::sin(mu * units::degree) * y_ +
           sin_nu * z_;
}

void StripeFrame::coordinates(const Vec3& unit, double first, double& mu, double& nu) const {
    mu = std::atan2(dot(unit, y_), dot(unit, x_)) / units::degree;
    mu -= 360 * std::floor((mu - first) / 360);
    nu = std::asin(std::clamp(dot(unit, z_), -1.0, 1.0)) / units::degree;
}

std::unique_ptr<PlaceDrawer> make_stream_drawer(const StreamModel& model, std::size_t stream) {
    if (model.streams[stream].has_track()) return make_track_drawer(model, stream);
    return std::make_unique<StreamDrawer>(model, stream);
}

}  // namespace tessera::likelihood
