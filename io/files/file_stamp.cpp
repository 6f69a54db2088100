#include "io/files/file_stamp.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>

namespace tessera::io {

namespace {

constexpr std::int64_t settling = 2'000'000'000;  ///< ns; the coarsest clock of a file system

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{1'000'000'000} * time.tv_sec + time.tv_nsec;
}

}  // namespace

bool FileStamp::is_settled(std::int64_t now) const {
    return std::max(modified, changed) + settling < now;
}

std::optional<FileStatus> file_status(const std::string& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileStatus{{static_cast<std::uint64_t>(status.st_size), status.st_ino,
                       nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)},
                      status.st_dev};
}

std::int64_t nanoseconds_now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace tessera::io
