// Reads the table [fit.shared] of a parameter file.
#pragma once

#include <vector>

#include "io/streams/shared_settings.hpp"
#include "io/text/toml.hpp"

namespace tessera::io {

/// Each entry names a stream and what other wedges with a stream of this name share with it. Throws
/// Error if an entry has not this form.
///
///     [fit.shared]
///     sagittarius = { stream = 1, parameters = ["sigma", "theta", "phi"] }
std::vector<SharedParameter> read_shared(const TextSource& source, const toml::node& node);

}  // namespace tessera::io
