// Rounding of grids, after which gzip makes them far smaller. The values stay plain numbers, which
// every HDF5 library reads.
#pragma once

#include <span>
#include <string>

namespace tessera::io {

/// Rounds values to multiples of a power of two, so that none changes by more than `largest_error`
/// (above 0). Values whose neighbours of the same type lie farther away keep their bits. Throws
/// Error if a value is not finite; `name` is that of the dataset.
template <class Real>
void round_within(std::span<Real> values, double largest_error, const std::string& name);

}  // namespace tessera::io
