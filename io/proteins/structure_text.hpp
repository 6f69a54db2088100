// The text of a structure file, unpacked and with plain line ends.
#pragma once

#include <string>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Whole text of `path`, gunzipped where its content says so, line ends as '\n'. Throws Error for what
/// cannot be read, is empty, damaged, truncated (gzip) or not text.
TextSource read_structure_text(const std::string& path);

}  // namespace tessera::io
