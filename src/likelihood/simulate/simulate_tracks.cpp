// Stars of a stream with a track: make_track_drawer(), declared in simulate_places.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/cross.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "likelihood/model/radial_nodes.hpp"
#include "likelihood/model/track.hpp"
#include "likelihood/simulate/simulate_places.hpp"

namespace tessera::likelihood {

namespace {

Vec3 vec(const double* v) { return {v[0], v[1], v[2]}; }

/// Draws a place of the axis and a place across it, with the volume between the planes across the
/// axis. Rejects what is nearer to another place of the axis.
class TrackDrawer : public PlaceDrawer {
  public:
    TrackDrawer(const StreamModel& model, std::size_t stream)
        : frame_(model.wedge),
          area_(model.areas.front()),
          pieces_(track_pieces(model.streams[stream])),
          sigma_(std::abs(model.streams[stream].sigma)),
          farthest_(distance_of(area_.r.max + widest_offset)) {
        for (const kernels::TrackPiece& piece : pieces_) add_part(piece);
        if (!(parts_.back().upto > 0))
            throw Error(fmt::format("cannot draw stars of stream {}", stream + 1),
                        "its track does not come near the wedge", "correct its knots",
                        ExitCode::numerics);
    }

    std::optional<Place> draw(RandomStream& random, double) const override {
        const double share = random.uniform() * parts_.back().upto;
        const auto found = std::ranges::upper_bound(parts_, share, {}, &Part::upto);
        const auto p =
            static_cast<std::size_t>(std::min(found - parts_.begin(), std::ssize(parts_) - 1));
        const double t = random.uniform(parts_[p].begin, parts_[p].end);
        const double u = sigma_ * random.normal(), v = sigma_ * random.normal();
        double at[3], first[3], second[3];
        pieces_[p].place.at(t, at);
        pieces_[p].place.derivatives(t, first, second);
        const double speed = norm(vec(first));
        const Vec3 along = (1 / speed) * vec(first);
        const Vec3 aside = std::abs(along.z) < 0.7 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
        const Vec3 across = (1 / norm(cross(along, aside))) * cross(along, aside);
        const Vec3 offset = u * across + v * cross(along, across);
        const double volume = speed - dot(offset, vec(second)) / speed;
        if (!(random.uniform() * parts_[p].most < volume)) return std::nullopt;
        return seen(vec(at) + offset, dot(offset, offset), static_cast<int>(p));
    }

  private:
    /// The part of a piece that counts, and how likely it and the parts before are.
    struct Part {
        double begin = 0, end = 0;
        double most = 0;  ///< volume per area and t
        double upto = 0;
    };

    std::optional<Place> seen(const Vec3& at, double distance2, int piece) const {
        const double x[3] = {at.x, at.y, at.z};
        const auto near =
            kernels::nearest_on_track(pieces_.data(), static_cast<int>(pieces_.size()), x, piece);
        if (near.distance2 < distance2 * (1 - 1e-9) - 1e-14) return std::nullopt;
        const double distance = norm(at);
        if (!(distance > 0)) return std::nullopt;
        Place place;
        frame_.coordinates((1 / distance) * at, area_.mu.min, place.mu, place.nu);
        if (place.mu > area_.mu.max || place.nu < area_.nu.min || place.nu > area_.nu.max)
            return std::nullopt;
        place.magnitude = magnitude_at(distance);
        return place;
    }

    void add_part(const kernels::TrackPiece& piece) {
        const double off = far_off_axis * sigma_;
        Part part{piece.first, piece.last, 0, parts_.empty() ? 0 : parts_.back().upto};
        const bool straight_end = piece.last - piece.first > 1e5;
        if (straight_end)
            limit_end(piece, off, part);
        else if (!near(piece, off))
            part.end = part.begin;
        double speed = 0;
        for (int i = 0; i <= 16; ++i) {
            double first[3], second[3];
            piece.place.derivatives(part.begin + i * (part.end - part.begin) / 16, first, second);
            speed = std::max(speed, norm(vec(first)));
        }
        // Between the samples the speed is a little greater at most.
        part.most = 1.05 * speed * (1 + 1.05 * piece.bend * off * speed);
        if (part.begin < part.end) part.upto += (part.end - part.begin) * part.most;
        parts_.push_back(part);
    }

    /// The heights above the plane of the stripe from which stars can reach the wedge.
    std::pair<double, double> slab(double off) const {
        return {std::min(0.0, farthest_ * std::sin(area_.nu.min * units::degree)) - off,
                std::max(0.0, farthest_ * std::sin(area_.nu.max * units::degree)) + off};
    }

    bool near(const kernels::TrackPiece& piece, double off) const {
        const Vec3 middle = vec(piece.middle);
        const double height = dot(middle, frame_.pole());
        const auto [low, high] = slab(off + piece.reach);
        return norm(middle) < farthest_ + off + piece.reach && height > low && height < high;
    }

    /// Limits a straight end to the sphere and the slab of the wedge.
    void limit_end(const kernels::TrackPiece& piece, double off, Part& part) const {
        double at[3], first[3], second[3];
        piece.place.at(0, at);
        piece.place.derivatives(0, first, second);
        const Vec3 start = vec(at), step = vec(first);
        const double speed2 = dot(step, step), middle = -dot(start, step) / speed2;
        const Vec3 foot = start + middle * step;
        const double reach = farthest_ + off;
        const double half = std::sqrt(std::max(0.0, reach * reach - dot(foot, foot)) / speed2);
        part.begin = std::max(part.begin, middle - half);
        part.end = std::min(part.end, middle + half);
        const double height = dot(start, frame_.pole()), slope = dot(step, frame_.pole());
        const auto [low, high] = slab(off);
        if (std::abs(slope) > 1e-9) {
            const double one = (low - height) / slope, other = (high - height) / slope;
            part.begin = std::max(part.begin, std::min(one, other));
            part.end = std::min(part.end, std::max(one, other));
        } else if (height < low || height > high) {
            part.end = part.begin;
        }
    }

    StripeFrame frame_;
    io::Area area_;
    std::vector<kernels::TrackPiece> pieces_;
    double sigma_, farthest_;
    std::vector<Part> parts_;  // of each piece
};

}  // namespace

std::unique_ptr<PlaceDrawer> make_track_drawer(const StreamModel& model, std::size_t stream) {
    return std::make_unique<TrackDrawer>(model, stream);
}

}  // namespace tessera::likelihood
