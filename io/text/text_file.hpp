// Reads the whole text of a file from a user, plain or gzipped.
#pragma once

#include <string>

#include "io/files/input_file.hpp"
#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Returns the whole text and the hash of the file's bytes. A gzip file is recognised by its
/// content and unpacked. Throws Error if the file cannot be read, or is empty, too large, damaged,
/// truncated (gzip) or not text.
TextSource read_text_file(const std::string& path, const InputKind& kind);

}  // namespace tessera::io
