// Unpacks gzip files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/files/input_file.hpp"

namespace tessera::io {

bool is_gzip(std::string_view bytes);

/// Unpacks all members. `look` gets the beginning before the rest is unpacked and throws if it is
/// unsuitable. Throws Error for damaged and truncated data. Also throws if the text exceeds the
/// limit of its kind of file, or a hundred times the packed size, because a file that expands a
/// thousandfold would fill the memory.
std::string gunzip(std::string_view packed, const NamedInput& name,
                   const std::function<void(std::string_view)>& look);

}  // namespace tessera::io
