// Whether the input of a docking is the one of an earlier run.
#pragma once

#include <map>
#include <string>

#include "docking/setup/dock_input.hpp"
#include "io/files/file_stamp.hpp"

namespace tessera::docking {

/// The SHA-256 of the bytes that were read from each path.
using FileHashes = std::map<std::string, std::string>;

/// The hash of the settings and the file contents, by which runs are compared. It only reads the
/// files to hash them. Throws Error if a file is missing.
std::string input_hash(const DockInput& input);
/// The same with known hashes of all input_files().
std::string input_hash(const DockInput& input, const FileHashes& files);

/// What the file system says of the input_files(). Files that have just changed are missing, and so
/// is the file of rotations, which is read earlier than the others.
std::map<std::string, io::FileStamp> stamps_of(const DockInput& input);

}  // namespace tessera::docking
