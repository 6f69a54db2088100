// Stars in tables of FITS files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// What every FITS file begins with.
inline constexpr const char* fits_beginning = "SIMPLE  =";

/// The stars of the first table with columns for l, b and r (find_star_columns() of
/// star_columns.hpp). `source` holds the bytes of the file. Throws Error that names the file if
/// there is no such table, if a value is not a finite number, or if the program was built without
/// cfitsio.
std::vector<Star> parse_fits_stars(const TextSource& source,
                                   std::span<const Observable> observables = {});

}  // namespace tessera::io
