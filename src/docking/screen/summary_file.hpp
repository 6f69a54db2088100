// The lines of a shard as a Parquet file.
#pragma once

#include <string>
#include <vector>

namespace tessera::docking {

/// Writes lines of screen.csv with the types of their columns; empty fields have no value. The file
/// at `path` is replaced at once, so that a reader of its folder always finds a whole file.
/// `scratch` is a path on the same file system, outside that folder. `version` is that of the
/// program. Throws Error if a file of another program has the name `path`.
void write_summary_file(const std::string& path, const std::string& scratch,
                        const std::string& version, const std::vector<std::string>& lines);

}  // namespace tessera::docking
