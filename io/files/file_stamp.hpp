// Whether a file is still the one that was seen before, without reading it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tessera::io {

/// What a file system says of a file. Any write, rename or replacement changes it. The time of the
/// last change of the inode is part of it, because no program can set that back.
struct FileStamp {
    std::uint64_t bytes = 0;
    std::uint64_t inode = 0;
    std::int64_t modified = 0, changed = 0;  ///< nanoseconds since 1970

    bool operator==(const FileStamp&) const = default;
    /// Whether the file was left alone in the two seconds before `now` (nanoseconds since 1970). A
    /// file system may give two changes within one tick of its clock the same time, so the stamp of
    /// a file that has just changed may miss the next change.
    bool is_settled(std::int64_t now) const;
};

struct FileStatus {
    FileStamp stamp;
    dev_t device = 0;

    /// Whether both are the same file, perhaps under two names.
    bool same_file(const FileStatus& other) const {
        return device == other.device && stamp.inode == other.stamp.inode;
    }
};

/// Nothing if there is no such file, or nothing can be found out about it. Follows links.
std::optional<FileStatus> file_status(const std::string& path);

/// Nanoseconds since 1970.
std::int64_t nanoseconds_now();

}  // namespace tessera::io
