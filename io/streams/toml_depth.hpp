// How deep the tables and lists of a TOML text lie within each other.
#pragma once

#include <string_view>

namespace tessera::io {

/// The line, from 1, where the text goes deeper than a parameter file can need; 0 where none does. To be
/// asked before the text is parsed: toml++ frees what it has read level by level on the stack, which a
/// key of a million dots overflows.
int line_too_deep(std::string_view text);

}  // namespace tessera::io
