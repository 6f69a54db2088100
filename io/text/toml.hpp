// toml++ for files that may be damaged. Its assertions fail for some bad input, but without
// assertions it reports an error instead. So its assertions are disabled in every build.
#pragma once

#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include "io/text/text_scanner.hpp"

namespace tessera::io {

/// Throws Error that names the line if the text is not TOML. Bytes beyond ASCII become '?'; in our
/// files only comments may have them. In toml++ up to 3.4 (issues 190, 295) some of these
/// characters outside quotes cause undefined behaviour.
toml::table parse_toml(const TextSource& source, const std::string& what_to_do);

}  // namespace tessera::io
