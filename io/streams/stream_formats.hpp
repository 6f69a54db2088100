// The two formats of parameter files, each with its own source file. Other code reads them through
// stream_parameters.hpp.
#pragma once

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"

namespace tessera::io {

/// Does not call validate().
StreamModel parse_toml_parameters(const TextSource& source, const ModelChoices& choices);
/// MilkyWay@Home's text: the layout of 2009, or that of 2018 with four more lines about the
/// background's weight. Step counts must be even, as the application requires.
StreamModel parse_text_parameters(const TextSource& source, const ModelChoices& choices);
/// Whether the first line with content is "name:" and not "name =".
bool is_text_parameters(const TextSource& source);

/// The radius of the 2018 model's background in kpc, regardless of the file.
inline constexpr double radius_2018 = 12;

}  // namespace tessera::io
