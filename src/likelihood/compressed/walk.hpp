// Finds the boxes of panels that resolve a component of one parameter set
// (docs/method/likelihood-quadrature.md).
#pragma once

#include <vector>

#include "kokkos_kernels/likelihood/compressed/problem.hpp"
#include "kokkos_kernels/likelihood/track.hpp"
#include "likelihood/compressed/wedge.hpp"

namespace tessera::likelihood {

using kernels::compressed::BackgroundValues;
using kernels::compressed::BoxTask;
using kernels::compressed::PanelRules;
using kernels::compressed::StreamValues;

/// Boxes of one component in one area.
struct BoxWalk {
    std::vector<BoxTask> boxes;  ///< only radius, mu and nu are set
    double left_out = 0;         ///< upper bound of the integral over the boxes that are left out
    double conditioning = 0;     ///< relative error from the rounding of positions alone
    bool too_many = false;       ///< given up, because a sum point by point costs no more
};

/// A walk with more boxes would cost as much as the points themselves.
inline constexpr std::size_t most_boxes = 400000;

/// The axis of a stream as pieces; empty if it is straight.
using Track = std::vector<kernels::TrackPiece>;

BoxWalk walk_stream(const CompressedArea& area, const std::array<Vec3, 3>& frame,
                    const StreamValues& stream, const Track& track, const PanelRules& rules);

/// `disk`: the model has the fixed disk.
BoxWalk walk_background(const CompressedArea& area, const std::array<Vec3, 3>& frame,
                        const BackgroundValues& background, const PanelRules& rules, bool disk);

}  // namespace tessera::likelihood
