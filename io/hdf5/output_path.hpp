// Where an output may appear, and what it may take the place of.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "core/error.hpp"

namespace tessera::io {

Error cannot_write_output(const std::string& path, const std::string& why,
                          const std::string& what_to_do, ExitCode code = ExitCode::usage);

/// The folder that a file lies in, "." where its path names none.
std::filesystem::path folder_of(const std::string& path);

/// The output of a run of this program, whole or not, of whatever version.
bool is_result(const std::string& path);

/// A file whose first bytes hold a line, or a comment, that says it is an export of this program.
bool is_export(const std::string& path);

using IsOurs = std::function<bool(const std::string& path)>;

/// Whether nothing of anybody else's is lost with the file: it is empty, or `is_ours`.
bool may_go(const std::string& path, const IsOurs& is_ours = is_result);

/// Throws Error unless an output can appear at `path`: its folder exists and is writable, and nothing has
/// the name or, with `force`, what may go: --force makes way for a new result, it does not throw
/// away what others have written. To be asked before the work starts.
void check_output_path(const std::string& path, bool force, const IsOurs& is_ours = is_result);

/// Throws Error where an output is one of the files that it is made of, which no option allows.
void keep_source(const std::string& output, const std::string& source);

}  // namespace tessera::io
