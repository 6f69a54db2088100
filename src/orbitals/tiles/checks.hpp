// What a file's orbitals must be to be believed: normalised, different, no more than functions.
#pragma once

#include <string>
#include <vector>

#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

/// Multiply-adds (about) that the checks may spend on what nobody asked for: all orbitals of C60 in 900
/// functions, some 20 ms of a core.
constexpr double most_check_work = 4e8;

/// One line a file and finding. The first frame of every file is checked, further frames and orbitals
/// that are not evaluated as far as `work` reaches.
std::vector<std::string> check_orbitals(const std::vector<OrbitalFrame>& frames,
                                        double work = most_check_work);

}  // namespace tessera::orbitals
