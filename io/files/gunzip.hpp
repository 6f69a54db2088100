// What a gzip file holds.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/files/input_file.hpp"

namespace tessera::io {

bool is_gzip(std::string_view bytes);

/// Unpacks all members. `look` is shown the beginning before the rest is unpacked, and throws where it is
/// not what it should be. Throws Error for damaged and truncated data, and for more than the kind of file
/// can need or than texts shrink to: a file that is packed a thousand times would fill the memory.
std::string gunzip(std::string_view packed, const NamedInput& name,
                   const std::function<void(std::string_view)>& look);

}  // namespace tessera::io
