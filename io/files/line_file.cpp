#include "io/files/line_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace tessera::io {

LineFile::LineFile(std::string path, std::chrono::milliseconds between_syncs)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)) {
    if (file_ < 0) fail("opening failed");
    syncing_.emplace(between_syncs, [this] { sync(); });
}

LineFile::~LineFile() {
    try {
        close();
    } catch (const Error&) {
        // Callers that need to know have called close(). The system has the lines in any case.
    }
    if (file_ >= 0) ::close(file_);
}

void LineFile::append(std::string_view line) {
    const std::string text = std::string(line) + "\n";
    syncing_->rethrow_failure();
    const std::lock_guard lock(mutex_);
    struct stat before = {};
    if (::fstat(file_, &before) != 0) fail("writing failed");
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t count = ::write(file_, text.data() + at, text.size() - at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            const int reason = count == 0 ? ENOSPC : errno;
            // Where even this fails the line stays torn, until the next start writes the file anew.
            [[maybe_unused]] const int cut = ::ftruncate(file_, before.st_size);
            errno = reason;
            fail("writing failed");
        }
        at += static_cast<std::size_t>(count);
    }
    unsynced_ = true;
}

void LineFile::close() {
    if (syncing_) syncing_->stop();
    if (file_ < 0) return;
    syncing_->rethrow_failure();
    sync();
    if (::close(std::exchange(file_, -1)) != 0) fail("closing failed");
}

/// The lock is not held during the call to the disk, so lines can be appended meanwhile.
void LineFile::sync() {
    {
        const std::lock_guard lock(mutex_);
        if (!std::exchange(unsynced_, false)) return;
    }
    if (::fdatasync(file_) != 0 && errno != EINVAL) fail("bringing it to the disk failed");
}

void LineFile::fail(const char* what) const {
    throw Error("cannot write '" + path_ + "'", std::string(what) + ": " + std::strerror(errno),
                "check the disk and start the same command again", ExitCode::resources);
}

}  // namespace tessera::io
