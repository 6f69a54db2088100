// Finds the tables that ship with the program (rotation sets, potentials).
#pragma once

#include <optional>
#include <string>

namespace tessera::io {

/// Returns the path of the data file `name`, e.g. "rotations/2917.csv". It is looked for in three
/// folders: first the folder in the environment variable TESSERA_DATA, then ../share/tessera beside
/// the running program (an installation), then the source tree that the program was built from.
/// Throws Error with the names of the folders if none of them has it.
std::string data_file(const std::string& name);

/// The same for a file of others that the program can do without, or nothing if it is missing. In
/// the source tree scripts/viewer puts such files into .deps/data.
std::optional<std::string> optional_data_file(const std::string& name);

}  // namespace tessera::io
