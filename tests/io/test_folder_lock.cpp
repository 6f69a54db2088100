#include "io/journal/folder_lock.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "temporary_folder.hpp"

namespace {
int no_locks = 0;  ///< why the file system of the test cannot lock; 0: it can
}

/// The system's, in all of this executable.
extern "C" int flock(int file, int how) noexcept {
    if (no_locks == 0) return static_cast<int>(syscall(SYS_flock, file, how));
    errno = no_locks;
    return -1;
}

namespace {

using namespace tessera;

TEST(FolderLock, AFileSystemWithoutLocksIsNotTakenForARunUnderWay) {
    const test::TemporaryFolder folder;
    for (const int reason : {ENOSYS, ENOLCK, EOPNOTSUPP}) {
        no_locks = reason;
        std::string holder, line;
        ExitCode code = ExitCode::usage;
        try {
            io::lock_folder(folder / "out.h5.partial", holder);
        } catch (const Error& error) {
            line = error.what();
            code = error.code();
        }
        no_locks = 0;
        EXPECT_NE(line.find("does not support file locks"), std::string::npos) << line;
        EXPECT_EQ(code, ExitCode::resources);
        EXPECT_EQ(holder, "");
    }
}

TEST(FolderLock, OneHolderAtATime) {
    const test::TemporaryFolder folder;
    std::string holder;
    const int lock = io::lock_folder(folder / "out.h5.partial", holder);
    EXPECT_GE(lock, 0);
    EXPECT_EQ(io::lock_folder(folder / "out.h5.partial", holder), -1);
    EXPECT_EQ(holder.find("process " + std::to_string(getpid()) + " on "), 0u) << holder;
    EXPECT_EQ(io::holder_of(folder / "out.h5.partial"), holder);
    close(lock);
    EXPECT_EQ(io::holder_of(folder / "out.h5.partial"), "");
}

}  // namespace
