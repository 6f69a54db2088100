// toml++, for reading files that anybody may have damaged: it asserts some of what they hold, and goes on
// to an error of its own where assertions are off. So they are off in every build.
#pragma once

#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Throws Error that names the line where the text is not TOML. Bytes beyond ASCII, which only comments
/// may have in our files, become '?': toml++ up to 3.4 (issues 190, 295) has undefined behaviour where
/// some of those characters stand outside of quotes.
toml::table parse_toml(const TextSource& source, const std::string& what_to_do);

}  // namespace tessera::io
