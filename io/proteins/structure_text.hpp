// The text of a structure file, unpacked and with plain line ends.
#pragma once

#include <string>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Returns the whole text of `path` with line ends '\n'. A gzip file is recognised by its content
/// and unpacked. Throws Error if the file cannot be read, or is empty, damaged, truncated (gzip) or
/// not text.
TextSource read_structure_text(const std::string& path);

}  // namespace tessera::io
