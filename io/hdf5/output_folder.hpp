// Checks where an output may be written, for commands that do not write it.
#pragma once

#include <string>

namespace tessera::io {

/// Throws Error unless the folder of an output exists and is writable.
void check_output_folder(const std::string& path);

}  // namespace tessera::io
