// The selection function of a survey: the share of the stars of a place that its catalogue has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/vec3.hpp"
#include "io/streams/healpix.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// What a parameter file says of it (docs/reference/formats.md).
struct SelectionSource {
    std::string file = {};  ///< as it can be opened from here; empty: there is none
    std::string coordinates =
        {};                     ///< of a map: "galactic" or "equatorial"; empty: as the file says
    std::string ordering = {};  ///< of a map: "ring" or "nested"; likewise
    int nside = 0;              ///< of a map; 0: likewise
    std::string column = {};    ///< of a FITS map; empty: the first one with values
    std::string sha256 = {};    ///< of the file; empty before it is read
};

/// Where a star is seen.
struct SeenPlace {
    double mu = 0, nu = 0;      ///< degrees; mu up to whole turns
    double magnitude = 0;       ///< apparent
    Vec3 galactic, equatorial;  ///< unit vectors
};

class Selection {
  public:
    virtual ~Selection() = default;
    /// 0 to 1.
    virtual double at(const SeenPlace& place) const = 0;
    /// Magnitudes at which it may change, ascending. Empty: it depends on the direction alone.
    virtual const std::vector<double>& magnitudes() const = 0;
};

/// The keys of `source` that change nothing, because `selection`, which was read of it, is a table
/// of bins: they describe maps.
std::vector<std::string> unused_keys(const SelectionSource& source, const Selection& selection);

/// Reads a table of bins, a list of HEALPix pixels, or a HEALPix map in FITS. Throws Error that
/// names the file and what is wrong with it. Sets source.sha256.
std::shared_ptr<const Selection> read_selection(SelectionSource& source);

/// The same of the text, or the bytes, of a file.
std::shared_ptr<const Selection> parse_selection(const TextSource& file,
                                                 const SelectionSource& source);

/// A map of pixels, some of which may be NaN: they are not observed.
struct PixelMap {
    Healpix pixels;
    bool equatorial = false;
    std::vector<double> completeness;
};

/// `file` is in FITS (star_fits.hpp).
PixelMap parse_fits_map(const TextSource& file, const SelectionSource& source);

}  // namespace tessera::io
