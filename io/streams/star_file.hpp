// Star files: MilkyWay@Home's (the number of stars, then one line l b r for each star, in degrees,
// degrees and kpc), and tables with named columns or without a header.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/files/whole_file.hpp"
#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Reads all stars of a file, plain or gzipped. Its content decides between MilkyWay@Home's layout,
/// CSV, TSV and ECSV tables (star_table.hpp) and FITS (star_fits.hpp). Throws Error that names file
/// and line if the file has more or fewer stars than its first line says, or has values that are
/// not finite numbers. Also throws for distances that are not positive and for angles beyond 360
/// (l) and 90 (b) degrees. The columns of `observables` must be there, and their fields may be
/// empty.
std::vector<Star> read_star_file(const std::string& path,
                                 std::span<const Observable> observables = {});
std::vector<Star> parse_stars(const TextSource& source,
                              std::span<const Observable> observables = {});
TextSource read_star_text(const std::string& path);

/// Writes MilkyWay@Home's layout in parts, with as many digits as are needed to read the same stars
/// back. Stars with observables are a CSV table, whose last column is the component of each star.
class StarFileWriter {
  public:
    /// `count` is the number of all stars that will be added.
    StarFileWriter(const std::string& path, std::int64_t count,
                   std::vector<Observable> observables = {});
    /// `components` are needed for stars with observables only.
    void add(std::span<const Star> stars, std::span<const int> components = {});
    void commit() { file_.commit(); }

  private:
    WholeFile file_;
    std::vector<Observable> observables_;
};

/// Whether StarFileWriter may have written a file: every number has all digits of a double.
bool is_written_star_file(const std::string& path);

}  // namespace tessera::io
