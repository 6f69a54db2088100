// The whole text of a file that users write, plain or gzipped.
#pragma once

#include <string>

#include "io/text_scanner.hpp"

namespace tessera::io {

/// How messages name a kind of file, and what they advise.
struct TextKind {
    const char* noun;         ///< "star file"
    const char* wanted;       ///< "give ...", where it is no such text
    const char* when_larger;  ///< where it unpacks to more than 64 GiB
};

/// The whole file, gunzipped where its content says so. Throws Error for what cannot be read, is empty,
/// damaged, truncated (gzip) or not text.
TextSource read_text_file(const std::string& path, const TextKind& kind);

}  // namespace tessera::io
