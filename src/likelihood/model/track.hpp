// The axis of a stream with a track, in the form that kernels take it.
#pragma once

#include <array>
#include <vector>

#include "core/vec3.hpp"
#include "io/streams/stream_model.hpp"
#include "kokkos_kernels/likelihood/track.hpp"

namespace tessera::likelihood {

/// The pieces of the natural cubic spline through the knots, moved by the stream's shifts, with a
/// straight end before the first and behind the last. Empty without a track.
std::vector<kernels::TrackPiece> track_pieces(const io::Stream& stream);

/// Unit vectors across the track at a knot: perpendicular to the line of sight, and away from the
/// Sun.
struct TrackFrame {
    Vec3 across, away;
};
std::vector<TrackFrame> track_frames(const io::Stream& stream);

}  // namespace tessera::likelihood
