#include "io/journal/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "io/text/one_line.hpp"

namespace tessera::io {

namespace {

namespace fs = std::filesystem;

/// A file descriptor that closes itself.
struct Descriptor {
    int value;
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
};

/// Whether files that this process makes in the folder get the folder's owner. Some network file
/// systems give files another owner than that of the process.
bool is_owner_of_our_files(uid_t owner, const std::string& folder) {
    if (owner == ::geteuid()) return true;
    const std::string probe = folder + "/run.tmp.owner." + std::to_string(getpid());
    const Descriptor made{::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
    struct stat status = {};
    const bool same =
        made.value >= 0 && ::fstat(made.value, &status) == 0 && status.st_uid == owner;
    if (made.value >= 0) ::unlink(probe.c_str());
    return same;
}

/// Returns false if there is no folder; throws if it is not ours.
bool is_our_folder(const std::string& path) {
    const std::string advice = "remove it, or choose another output";
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0) return false;
    if (S_ISLNK(status.st_mode)) throw cannot_use_folder(path, "it is a symbolic link", advice);
    if (!S_ISDIR(status.st_mode)) throw cannot_use_folder(path, "it is not a folder", advice);
    if (!is_owner_of_our_files(status.st_uid, path))
        throw cannot_use_folder(path, "it belongs to another user", "choose another output");
    return true;
}

/// A file with a second name (hard link) may also lie in a folder of another user.
bool is_plain(const struct stat& status) { return S_ISREG(status.st_mode) && status.st_nlink <= 1; }

/// Returns the open file, not locked yet, or -1 if another process is removing the folder.
int open_lock(const std::string& folder) {
    const std::string name = folder + "/lock";
    const int opened =
        ::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (opened >= 0 || errno == ENOENT) return opened;
    if (errno == ELOOP || errno == EISDIR || errno == ENXIO)
        throw cannot_use_folder(folder, "its 'lock' is not a regular file", "remove it");
    throw cannot_use_folder(folder, std::strerror(errno), "choose a folder that you may write to",
                            ExitCode::resources);
}

/// Returns false if another process holds the lock.
bool take(int lock, int how, const std::string& folder) {
    while (::flock(lock, how | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return false;
        if (errno == EINTR) continue;
        throw cannot_use_folder(folder,
                                std::string("its file system does not support file locks: ") +
                                    std::strerror(errno),
                                "choose an output on another file system, or mount this one with "
                                "locks (Lustre: -o flock)",
                                ExitCode::resources);
    }
    return true;
}

std::string name_in(int lock) {
    char text[100];
    const ssize_t count = ::pread(lock, text, sizeof(text), 0);
    const std::string_view read(text, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return one_line(read.substr(0, read.find('\n')));
}

void write_name(int lock, const std::string& folder) {
    char host[64] = "";
    gethostname(host, sizeof(host) - 1);
    const std::string text = "process " + std::to_string(getpid()) + " on " + host + "\n";
    errno = ENOSPC;  // reported if fewer bytes are written
    if (::ftruncate(lock, 0) != 0 ||
        ::pwrite(lock, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        throw cannot_use_folder(folder, std::strerror(errno), "check the disk",
                                ExitCode::resources);
}

}  // namespace

Error cannot_use_folder(const std::string& folder, const std::string& why,
                        const std::string& what_to_do, ExitCode code) {
    return Error("cannot keep the run's progress in '" + folder + "'", why, what_to_do, code);
}

void require_plain_files(const std::string& folder) {
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; entry != end;
         entry.increment(failure)) {
        struct stat status = {};
        if (::lstat(entry->path().c_str(), &status) != 0) continue;  // gone meanwhile
        if (!is_plain(status))
            throw cannot_use_folder(folder,
                                    "it holds '" + entry->path().filename().string() +
                                        "', which is not a regular file",
                                    "remove it, or choose another output");
    }
    if (failure && failure != std::errc::no_such_file_or_directory)
        throw cannot_use_folder(folder, failure.message(), "check the disk", ExitCode::resources);
}

int lock_folder(const std::string& folder, std::string& holder) {
    if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
        throw cannot_use_folder(folder, std::strerror(errno),
                                "choose a folder that you may write to", ExitCode::resources);
    if (!is_our_folder(folder)) return -1;
    Descriptor lock{open_lock(folder)};
    struct stat opened = {}, named = {};
    if (lock.value < 0 || ::fstat(lock.value, &opened) != 0) return -1;
    if (!is_plain(opened))
        throw cannot_use_folder(folder, "its 'lock' is not a regular file", "remove it");
    if (!take(lock.value, LOCK_EX, folder)) {
        holder = name_in(lock.value);
        return -1;
    }
    // The lock is valid only if its file still has its name: the last holder may have removed it.
    if (::lstat((folder + "/lock").c_str(), &named) != 0 || opened.st_ino != named.st_ino)
        return -1;
    write_name(lock.value, folder);
    return std::exchange(lock.value, -1);
}

std::string holder_of(const std::string& folder) {
    const std::string name = folder + "/lock";
    const Descriptor lock{::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
    return lock.value < 0 || take(lock.value, LOCK_SH, folder) ? "" : name_in(lock.value);
}

}  // namespace tessera::io
