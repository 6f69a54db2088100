// The two formats of parameter files, one source file each; read through stream_parameters.hpp.
#pragma once

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "io/streams/stream_parameters.hpp"

namespace tessera::io {

/// Without the checks of validate().
StreamModel parse_toml_parameters(const TextSource& source, const ModelChoices& choices);
/// MilkyWay@Home's text: the layout of 2009, or that of 2018 with four more lines about the
/// background's weight. Its step counts must be even, as the application demands.
StreamModel parse_text_parameters(const TextSource& source, const ModelChoices& choices);
/// Whether the first line that says something is a "name:" and no "name =".
bool is_text_parameters(const TextSource& source);

/// The radius of the 2018 model's background, kpc, whatever its file says.
inline constexpr double radius_2018 = 12;

}  // namespace tessera::io
