// Names of files and folders until they are whole, and what killed processes leave under them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::io {

inline constexpr std::string_view mark_of_file = ".tmp.";
inline constexpr std::string_view mark_of_result = ".tmp-";
inline constexpr std::string_view mark_of_folder = ".merging.";

/// PATH, the mark, and what identifies this process: its machine and process namespace as 8
/// hexadecimal digits, a dot, and its number.
std::string temporary_name(const std::string& path, std::string_view mark);

/// Regular files in the folder of `path` with the mark whose processes ran on this machine and have
/// ended. Those of one output if `path` names it, of all outputs if it ends with a slash.
std::vector<std::filesystem::path> abandoned_files(const std::string& path, std::string_view mark);

/// Removes abandoned_files(). Those that cannot be removed stay, because they do no harm.
void remove_abandoned(const std::string& path, std::string_view mark = mark_of_file);

/// The same for folders that were to become `path`, with all that they hold.
void remove_abandoned_folders(const std::string& path, std::string_view mark = mark_of_folder);

}  // namespace tessera::io
