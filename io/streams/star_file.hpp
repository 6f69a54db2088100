// MilkyWay@Home's star files: the number of stars, then l b r a line (degrees, degrees, kpc).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/files/whole_file.hpp"
#include "io/streams/stream_model.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// All stars of a file, plain or gzipped. Throws Error, naming file and line, for a file that holds
/// more or fewer stars than it says, for what is no number or not finite, distances that are not
/// positive, and angles beyond 360 (l) and 90 (b) degrees.
std::vector<Star> read_star_file(const std::string& path);
std::vector<Star> parse_stars(const TextSource& source);
TextSource read_star_text(const std::string& path);

/// The same layout with as many digits as give the same stars back, part after part.
class StarFileWriter {
  public:
    /// `count`: of all stars that will be added.
    StarFileWriter(const std::string& path, std::int64_t count);
    void add(std::span<const Star> stars);
    void commit() { file_.commit(); }

  private:
    WholeFile file_;
};

/// Whether a file is one that StarFileWriter writes: every number has the digits that it gives a double.
bool is_written_star_file(const std::string& path);

void write_star_file(const std::string& path, std::span<const Star> stars);

}  // namespace tessera::io
