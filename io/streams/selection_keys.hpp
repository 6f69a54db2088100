// Keys of [selection] that mean nothing for the file that it names.
#pragma once

#include <string>
#include <vector>

#include "io/streams/selection.hpp"

namespace tessera::io {

/// The keys of `source` that change nothing, because `selection`, which was read of it, is a table
/// of bins: they describe maps.
std::vector<std::string> unused_keys(const SelectionSource& source, const Selection& selection);

}  // namespace tessera::io
