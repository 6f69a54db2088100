#include "likelihood/model/track.hpp"

#include <algorithm>
#include <cmath>

#include "core/cross.hpp"
#include "likelihood/model/wedge_geometry.hpp"

namespace tessera::likelihood {

namespace {

using kernels::track_shifts;
using kernels::TrackCubic;
using kernels::TrackPiece;

constexpr double endless = 1e6;    // kpc, length of the straight ends
constexpr double most_turn = 0.2;  // radians of a piece, so that its distance has one minimum

using Cubic = std::array<Vec3, 4>;  // [power]

Vec3 unit(Vec3 v) { return (1 / norm(v)) * v; }

/// Places from the Sun, and the lengths of the chords before them.
struct Knots {
    std::vector<Vec3> places;
    std::vector<double> at;

    explicit Knots(const io::Stream& stream) {
        for (const Vec3& knot : stream.knots) places.push_back(knot + Vec3{sun_r0, 0, 0});
        at.assign(places.size(), 0);
        for (std::size_t k = 1; k < at.size(); ++k)
            at[k] = at[k - 1] + norm(places[k] - places[k - 1]);
    }
};

/// The natural cubic spline through values at the knots: a cubic for each interval, counted from
/// its beginning.
std::vector<Cubic> spline(const std::vector<double>& at, const std::vector<Vec3>& values) {
    const std::size_t count = values.size();
    std::vector<Vec3> second(count);  // derivatives; 0 at both ends
    std::vector<double> pivot(count, 1);
    const auto width = [&](std::size_t k) { return at[k + 1] - at[k]; };
    const auto slope = [&](std::size_t k) { return (1 / width(k)) * (values[k + 1] - values[k]); };
    for (std::size_t k = 1; k + 1 < count; ++k) {
        const double before = k == 1 ? 0 : width(k - 1) / pivot[k - 1];
        pivot[k] = 2 * (width(k - 1) + width(k)) - before * width(k - 1);
        second[k] = 6.0 * (slope(k) - slope(k - 1)) - before * second[k - 1];
    }
    for (std::size_t k = count - 2; count > 2 && k > 0; --k)
        second[k] = (1 / pivot[k]) * (second[k] - width(k) * second[k + 1]);
    std::vector<Cubic> pieces;
    for (std::size_t k = 0; k + 1 < count; ++k)
        pieces.push_back({values[k], slope(k) - (width(k) / 6) * (2.0 * second[k] + second[k + 1]),
                          0.5 * second[k], (1 / (6 * width(k))) * (second[k + 1] - second[k])});
    return pieces;
}

/// The same cubic, counted from t.
Cubic moved(const Cubic& c, double t) {
    return {c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (2.0 * c[2] + 3 * t * c[3]),
            c[2] + 3 * t * c[3], c[3]};
}

TrackCubic of_kernel(const Cubic& c) {
    TrackCubic to{};
    for (std::size_t k = 0; k < 4; ++k) {
        to.of[k][0] = c[k].x;
        to.of[k][1] = c[k].y;
        to.of[k][2] = c[k].z;
    }
    return to;
}

/// An axis and how it changes with each number that moves it.
struct Axis {
    std::vector<double> at;
    std::vector<Cubic> place;
    std::array<std::vector<Cubic>, track_shifts> shift;
};

Axis axis_of(const io::Stream& stream) {
    const Knots knots(stream);
    const std::vector<TrackFrame> frames = track_frames(stream);
    const double shifts[track_shifts] = {stream.first_across, stream.first_away, stream.last_across,
                                         stream.last_away};
    Axis axis{knots.at, spline(knots.at, knots.places), {}};
    for (std::size_t s = 0; s < track_shifts; ++s) {
        std::vector<Vec3> values;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            const double along = knots.at[k] / knots.at.back();
            const double share = s < 2 ? 1 - along : along;
            values.push_back(share * (s % 2 == 0 ? frames[k].across : frames[k].away));
        }
        axis.shift[s] = spline(knots.at, values);
        for (std::size_t k = 0; k < axis.place.size(); ++k)
            for (std::size_t power = 0; power < 4; ++power)
                axis.place[k][power] = axis.place[k][power] + shifts[s] * axis.shift[s][k][power];
    }
    return axis;
}

TrackPiece piece_of(const Axis& axis, std::size_t k, double from, double length) {
    TrackPiece piece{};
    const Cubic c = moved(axis.place[k], from);
    piece.place = of_kernel(c);
    piece.last = length;
    for (std::size_t s = 0; s < track_shifts; ++s)
        piece.shift[s] = of_kernel(moved(axis.shift[s][k], from));
    piece.place.at(length / 2, piece.middle);
    // A cubic lies within the hull of its Bezier points.
    const Vec3 middle{piece.middle[0], piece.middle[1], piece.middle[2]};
    const Vec3 hull[4] = {c[0], c[0] + (length / 3) * c[1],
                          c[0] + (2 * length / 3) * c[1] + (length * length / 3) * c[2],
                          moved(c, length)[0]};
    for (const Vec3& point : hull) piece.reach = std::max(piece.reach, norm(point - middle));
    const double curve = std::max(norm(c[2]), norm(c[2] + 3 * length * c[3])) * 2;
    double speed = 1e300;
    for (int i = 0; i <= 8; ++i) speed = std::min(speed, norm(moved(c, i * length / 8)[1]));
    piece.bend = curve / std::max(speed * speed, 1e-12);
    return piece;
}

/// The straight continuation of a piece from its point t, in the direction of `sign`.
TrackPiece straight_end(const Axis& axis, std::size_t k, double t, int sign) {
    TrackPiece piece{};
    const auto straight = [&](const Cubic& c) {
        const Cubic here = moved(c, t);
        return of_kernel({here[0], here[1], {}, {}});
    };
    piece.place = straight(axis.place[k]);
    for (std::size_t s = 0; s < track_shifts; ++s) piece.shift[s] = straight(axis.shift[s][k]);
    (sign < 0 ? piece.first : piece.last) = sign * endless;
    piece.place.at(0, piece.middle);
    piece.reach = 1e150;  // never out of reach; its square is finite
    return piece;
}

}  // namespace

std::vector<TrackFrame> track_frames(const io::Stream& stream) {
    const Knots knots(stream);
    const std::vector<Cubic> pieces = spline(knots.at, knots.places);
    std::vector<TrackFrame> frames;
    for (std::size_t k = 0; k < knots.places.size(); ++k) {
        const bool last = k + 1 == knots.places.size();
        const Vec3 along =
            unit(last ? moved(pieces[k - 1], knots.at[k] - knots.at[k - 1])[1] : pieces[k][1]);
        const Vec3 sight = unit(knots.places[k]);
        Vec3 away = sight - dot(sight, along) * along;
        if (norm(away) < 1e-6)  // the track follows the line of sight
            away = cross(along, std::abs(along.z) < 0.7 ? Vec3{0, 0, 1} : Vec3{1, 0, 0});
        away = unit(away);
        frames.push_back({cross(along, away), away});
    }
    return frames;
}

std::vector<TrackPiece> track_pieces(const io::Stream& stream) {
    if (stream.knots.empty()) return {};
    const Axis axis = axis_of(stream);
    std::vector<TrackPiece> pieces{straight_end(axis, 0, 0, -1)};
    const auto third = [&](std::size_t k) { return 6.0 * axis.place[k][3]; };
    for (std::size_t k = 0; k < axis.place.size(); ++k) {
        const double length = axis.at[k + 1] - axis.at[k];
        const double turn = piece_of(axis, k, 0, length).bend * length;
        const int parts = std::clamp(static_cast<int>(std::ceil(turn / most_turn)), 1, 16);
        const double begin = norm(k == 0 ? third(k) : third(k) - third(k - 1));
        const double end = norm(k + 1 == axis.place.size() ? third(k) : third(k + 1) - third(k));
        for (int i = 0; i < parts; ++i) {
            TrackPiece& piece =
                pieces.emplace_back(piece_of(axis, k, i * length / parts, length / parts));
            piece.to_knot[0] = i * length / parts;
            piece.to_knot[1] = (parts - 1 - i) * length / parts;
            piece.jump[0] = begin;
            piece.jump[1] = end;
        }
    }
    pieces.front().jump[1] = norm(third(0));
    pieces.push_back(
        straight_end(axis, axis.place.size() - 1, axis.at.back() - axis.at[axis.at.size() - 2], 1));
    pieces.back().jump[0] = norm(third(axis.place.size() - 1));
    return pieces;
}

}  // namespace tessera::likelihood
