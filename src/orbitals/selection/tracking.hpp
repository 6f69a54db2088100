// Following orbitals along a trajectory: their sign is arbitrary in each frame, and levels that cross
// change places in the file.
#pragma once

#include <vector>

#include "io/wavefunctions/wavefunction.hpp"

namespace tessera::orbitals {

/// What an item of the first frame has become in another one.
struct TrackedOrbital {
    int orbital = 0;     ///< index into that frame's orbitals
    int sign = 1;        ///< factor on its coefficients
    double overlap = 1;  ///< |<psi(previous frame) | psi>|
};

/// The orbitals of `current` that overlap most with `previous_items` (C_prev^T S(prev, cur) C_cur): the
/// largest overlap of all is settled first, each orbital is given away once, spin is kept; the sign
/// makes the overlap positive. Items that were the same orbital stay the same one. `overlap`: of the basis
/// functions, [previous][current] (overlap_between).
std::vector<TrackedOrbital> track(const io::Wavefunction& previous,
                                  const std::vector<TrackedOrbital>& previous_items,
                                  const io::Wavefunction& current,
                                  const std::vector<double>& overlap);

}  // namespace tessera::orbitals
