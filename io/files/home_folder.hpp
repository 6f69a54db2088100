// Paths with a ~ that no shell has replaced, as in --output=~/run.h5 or in a table of pairs.
#pragma once

#include <string>

namespace tessera::io {

inline bool names_home(const std::string& path) { return path == "~" || path.starts_with("~/"); }

inline constexpr const char* write_home =
    "write the whole path, because only a shell replaces ~, and only where a word begins";

}  // namespace tessera::io
