// The text of a wavefunction file, unpacked.
#pragma once

#include <string>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// The whole file, gunzipped where its content says so. Throws Error for what cannot be read, is empty,
/// damaged, truncated (gzip) or not text.
TextSource read_wavefunction_text(const std::string& path);

}  // namespace tessera::io
