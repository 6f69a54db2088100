// The order of the Cartesian functions of a shell.
#pragma once

#include <array>
#include <vector>

namespace tessera::io {

/// Powers of x, y and z.
using CartesianPowers = std::array<int, 3>;

/// The highest angular momentum that readers accept (h).
constexpr int highest_l = 5;

/// The (l+1)(l+2)/2 functions in Molden's order up to g. Molden has no rule for h and beyond; their
/// order is xxxxx, xxxxy, xxxxz, xxxyy, ... (powers of x, then of y, descending).
std::vector<CartesianPowers> cartesian_order(int l);

/// Powers of x, then of y, descending: xx, xy, xz, yy, yz, zz.
std::vector<CartesianPowers> descending_cartesian_order(int l);

/// Gaussian's order in checkpoint files: as Molden up to f, then zzzz, yzzz, yyzz, ... xxxx.
std::vector<CartesianPowers> gaussian_cartesian_order(int l);

}  // namespace tessera::io
