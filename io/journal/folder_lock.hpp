// A folder that one process at a time may write into, and that leads nowhere else.
#pragma once

#include <string>

#include "core/error.hpp"

namespace tessera::io {

Error cannot_use_folder(const std::string& folder, const std::string& why,
                        const std::string& what_to_do, ExitCode code = ExitCode::usage);

/// A run keeps plain files alone, each under one name: a link, also a hard one, could lead what is written or
/// removed elsewhere.
/// Throws Error where the folder holds such.
void require_plain_files(const std::string& folder);

/// An open, locked file FOLDER/lock with this process's name; the folder is made where there is none. -1 where
/// another process holds it, whose name goes to `holder`, or is just removing it. Throws Error where
/// the folder or the lock is a link, no plain file or another user's, and where the file system cannot lock.
int lock_folder(const std::string& folder, std::string& holder);

/// "process 123 on host" where one holds the folder now, else empty.
std::string holder_of(const std::string& folder);

}  // namespace tessera::io
