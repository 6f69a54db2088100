// Follows orbitals along a trajectory. The sign of an orbital is arbitrary in each frame, and
// levels that cross change places in the file.
#pragma once

#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// The orbital that continues an item of the first frame in another frame.
struct TrackedOrbital {
    int orbital = 0;     ///< index into that frame's orbitals
    int sign = 1;        ///< factor on its coefficients
    double overlap = 1;  ///< |<psi(previous frame) | psi>|
};

/// Finds the orbitals of `current` that overlap most with `previous_items` (C_prev^T S(prev, cur)
/// C_cur). The largest overlap of all is assigned first. Each orbital is assigned once and keeps
/// its spin, and the sign makes the overlap positive. Items with the same orbital keep the same
/// orbital. `overlap` is between the basis functions, [previous][current] (overlap_between).
std::vector<TrackedOrbital> track(const io::Wavefunction& previous,
                                  const std::vector<TrackedOrbital>& previous_items,
                                  const io::Wavefunction& current,
                                  const std::vector<double>& overlap);

}  // namespace tessera::orbitals
