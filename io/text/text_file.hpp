// The whole text of a file that users write, plain or gzipped.
#pragma once

#include <string>

#include "io/files/input_file.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// The whole file, gunzipped where its content says so, and the hash of its bytes. Throws Error for what
/// cannot be read, is empty, too large, damaged, truncated (gzip) or not text.
TextSource read_text_file(const std::string& path, const InputKind& kind);

}  // namespace tessera::io
