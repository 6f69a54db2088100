// The track of a stream: the knots of a spline, in the parameter file or in a table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// A number that moves the track of a stream.
struct TrackShift {
    std::string_view key;
    double Stream::*value;
};
/// In the order in which a fit lists them.
std::span<const TrackShift> track_shifts();

inline constexpr std::size_t most_knots = 100;

/// The keys of a table [[stream]] without observables.
std::vector<std::string_view> stream_keys();

/// The knots of a table with columns l, b and r (degrees, degrees, kpc), as star files have them.
std::vector<Vec3> parse_track(const TextSource& source);

/// Reads the knots of the stream's file.
void load_track(Stream& stream);

/// The galactocentric place of Galactic coordinates (degrees) and a distance from the Sun (kpc).
Vec3 galactocentric(double l, double b, double r);

}  // namespace tessera::io
