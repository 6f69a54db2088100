// The text of a wavefunction file, unpacked.
#pragma once

#include <string>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Returns the whole text. A gzip file is recognised by its content and unpacked. Throws Error if
/// the file cannot be read, or is empty, damaged, truncated (gzip) or not text.
TextSource read_wavefunction_text(const std::string& path);

}  // namespace tessera::io
