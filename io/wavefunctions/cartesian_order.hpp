// In which order Cartesian functions of a shell stand.
#pragma once

#include <array>
#include <vector>

namespace tessera::io {

/// Powers of x, y and z.
using CartesianPowers = std::array<int, 3>;

/// Highest angular momentum that readers accept (h).
constexpr int highest_l = 5;

/// (l+1)(l+2)/2 functions as Molden has them up to g; from h on, where Molden has no rule, xxxxx,
/// xxxxy, xxxxz, xxxyy, ... (powers of x, then of y, descending).
std::vector<CartesianPowers> cartesian_order(int l);

/// Gaussian's order in checkpoint files: as Molden to f, then zzzz, yzzz, yyzz, ... xxxx.
std::vector<CartesianPowers> gaussian_cartesian_order(int l);

}  // namespace tessera::io
