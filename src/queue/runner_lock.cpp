#include "queue/runner_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace tessera::queue {

namespace {

std::string lock_path(const std::string& database) { return database + ".runner"; }

struct flock whole_file() {
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

}  // namespace

// A POSIX lock: unlike those of flock() it does not go on to the jobs.
RunnerLock::RunnerLock(const std::string& database) {
    const std::string path = lock_path(database);
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock lock = whole_file();
    if (file_ >= 0 && fcntl(file_, F_SETLK, &lock) == 0) return;
    const int problem = errno;
    if (file_ >= 0) close(file_);
    if (problem != EACCES && problem != EAGAIN)
        throw Error("cannot lock the queue '" + database + "'", std::strerror(problem),
                    "put it on a local disk", ExitCode::resources);
    throw Error("the queue '" + database + "' has a runner already",
                "process " + std::to_string(runner_of(database)),
                "submit jobs to it, or end it first");
}

RunnerLock::~RunnerLock() { close(file_); }

pid_t runner_of(const std::string& database) {
    const int file = open(lock_path(database).c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return 0;
    struct flock lock = whole_file();
    const bool known = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(file);
    return known ? lock.l_pid : 0;
}

}  // namespace tessera::queue
