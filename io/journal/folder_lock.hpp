// A folder that only one process at a time may write to and that contains no links.
#pragma once

#include <string>

#include "core/error.hpp"

namespace tessera::io {

Error cannot_use_folder(const std::string& folder, const std::string& why,
                        const std::string& what_to_do, ExitCode code = ExitCode::usage);

/// Throws Error if the folder holds anything but regular files, each under one name. Links, also
/// hard links, could redirect what is written or removed.
void require_plain_files(const std::string& folder);

/// Makes the folder if necessary and returns an open, locked file FOLDER/lock with this process's
/// name. Returns -1 if another process is removing the folder, or holds the lock; `holder` then
/// gets its name. Throws Error if the folder or the lock is a link, is not regular or belongs to
/// another user, and if the file system cannot lock.
int lock_folder(const std::string& folder, std::string& holder);

/// "process 123 on host" if a process holds the folder now, otherwise empty.
std::string holder_of(const std::string& folder);

}  // namespace tessera::io
