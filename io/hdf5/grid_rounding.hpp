// Rounding of grids, after which gzip makes them far smaller. The values stay plain numbers, which
// every HDF5 library reads.
#pragma once

#include <span>
#include <string>

#include "core/error.hpp"

namespace tessera::io {

/// For a value that has no bounded error. `name` is that of the dataset.
Error not_finite(const std::string& name);

/// Rounds values to multiples of a power of two, so that none changes by more than `largest_error`
/// (above 0). Values whose neighbours of the same type lie farther away keep their bits. Throws
/// not_finite(name).
template <class Real>
void round_within(std::span<Real> values, double largest_error, const std::string& name);

}  // namespace tessera::io
