// Lists of HEALPix pixels with a value each.
#pragma once

#include <vector>

#include "io/streams/healpix.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// The values of all pixels, from those of some: `values[i]` is of the pixel `numbers[i]`,
/// and NaN of a pixel without one. Refuses a number that is no pixel, and two values of a pixel.
std::vector<double> values_of_pixels(const std::vector<double>& numbers,
                                     const std::vector<double>& values, const Healpix& pixels,
                                     const TextSource& source);

}  // namespace tessera::io
