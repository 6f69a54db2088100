// The nesting depth of tables and lists in a TOML text.
#pragma once

#include <string_view>

namespace tessera::io {

/// Returns the line, from 1, at which the text is nested deeper than our files can need, or
/// 0. Call it before parsing: toml++ frees nested tables recursively, and a key with a million dots
/// overflows the stack.
int line_too_deep(std::string_view text);

}  // namespace tessera::io
