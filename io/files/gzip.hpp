// Packs bytes as a gzip file does (RFC 1952).
#pragma once

#include <string>
#include <string_view>

namespace tessera::io {

/// One member without name and time, so that the same bytes always give the same bytes. For at most
/// 2 GiB.
std::string gzip(std::string_view bytes);

}  // namespace tessera::io
