// Where the tables that ship with the program lie (rotation sets, potentials).
#pragma once

#include <string>

namespace tessera::io {

/// Path of the data file `name`, e.g. "rotations/2917.csv". Looked for in the folder that the
/// environment variable TESSERA_DATA names, then in ../share/tessera beside the running program (an
/// installation), then in the source tree that the program was built from. Throws Error, naming the
/// folders, where none has it.
std::string data_file(const std::string& name);

}  // namespace tessera::io
