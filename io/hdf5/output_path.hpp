// Checks where an output may be written and what it may replace.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "core/error.hpp"

namespace tessera::io {

Error cannot_write_output(const std::string& path, const std::string& why,
                          const std::string& what_to_do, ExitCode code = ExitCode::usage);

/// The folder of a file, or "." if its path names none.
std::filesystem::path folder_of(const std::string& path);

/// Whether a file is the output of a run of this program, complete or not, of any version.
bool is_result(const std::string& path);

/// Whether a file is an export of this program, according to a line or comment near its beginning.
bool is_export(const std::string& path);

using IsOurs = std::function<bool(const std::string& path)>;

/// Whether a file may be replaced without loss for others: it is empty, or `is_ours` holds.
bool may_go(const std::string& path, const IsOurs& is_ours = is_result);

/// Throws Error unless an output can be written at `path`. Its folder must exist and be writable.
/// The name must be free or, with `force`, belong to a file that may be replaced: --force makes way
/// for a new result but does not delete files of others. Call this before the work starts.
void check_output_path(const std::string& path, bool force, const IsOurs& is_ours = is_result);

/// Throws Error unless the folder of an output exists and is writable, for commands that do not
/// write it.
void check_output_folder(const std::string& path);

/// Throws Error if an output is one of its own inputs, which no option allows.
void keep_source(const std::string& output, const std::string& source);

}  // namespace tessera::io
