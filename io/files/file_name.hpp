// Names out of tables and results that become names of files.
#pragma once

#include <string>
#include <string_view>

namespace tessera::io {

/// Why `name`, with a suffix such as ".h5.partial", is no name for a file; empty where it is one. Whoever
/// has written it must not lead the program out of a folder, nor slip a formula into a table.
std::string why_no_file_name(std::string_view name);

/// Throws Error where a name in the result `file` is none. `what` has it: "coefficient set".
void require_file_name(const std::string& file, const std::string& what, const std::string& name);

/// The name as file systems take it that do not tell capitals from small letters.
std::string without_capitals(std::string name);

}  // namespace tessera::io
