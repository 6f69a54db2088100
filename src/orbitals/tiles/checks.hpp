// Checks the orbitals of a file. They must be normalised and different, and not more than the basis
// functions.
#pragma once

#include <string>
#include <vector>

#include "orbitals/tiles/prepare.hpp"

namespace tessera::orbitals {

/// The number of multiply-adds, approximately, that the checks may spend on orbitals that are not
/// evaluated. It is enough for all orbitals of C60 in 900 functions and takes about 20 ms on one
/// core.
constexpr double most_check_work = 4e8;

/// One line for each finding in each file. The first frame of every file is checked. Further
/// frames, and orbitals that are not evaluated, are checked as far as `work` reaches. Throws Error
/// for a periodic system whose norms are wrong.
std::vector<std::string> check_orbitals(const std::vector<OrbitalFrame>& frames,
                                        double work = most_check_work);

}  // namespace tessera::orbitals
