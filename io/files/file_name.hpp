// Names from tables and results that become names of files.
#pragma once

#include <string>
#include <string_view>

namespace tessera::io {

/// Returns why `name`, with a suffix such as ".h5.partial", is not a valid file name, or an empty
/// text. Such a name must not lead the program out of a folder or put a formula into a table.
std::string why_no_file_name(std::string_view name);

/// Throws Error if a name in the result `file` is not a valid file name. `what` describes the name,
/// such as "coefficient set".
void require_file_name(const std::string& file, const std::string& what, const std::string& name);

/// The name in small letters, as file systems compare it that ignore case.
std::string without_capitals(std::string name);

}  // namespace tessera::io
