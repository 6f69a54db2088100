// A library to preload into a program: it counts the calls on the files of one folder and lets one
// of them fail, as on a disk that is full or fails, or on a network file system that hiccups. Its
// orders are environment variables:
//   TESSERA_FAIL_FOLDER  the folder, an absolute path without symbolic links
//   TESSERA_FAIL_LOG     a file outside of it; each line is "NUMBER CALL PATH", of every call where
//   none
//                        is to fail, else of the one that has failed
//   TESSERA_FAIL_AT      the number of the call that fails, from 1; 0: none
//   TESSERA_FAIL_WITH    its errno, with a + where from then on all calls that need room fail; or
//   "short":
//                        it does half of what it was asked for; or "end": it reads nothing, as at
//                        the end
//                        of a file
//   TESSERA_FAIL_RANK    the one rank of Open MPI that this is about
// Only calls that go through the dynamic linker are seen. The C library's own within fopen() and
// fclose() do not, so these two count as calls themselves.
#include "support/failing_files.hpp"

#include <dlfcn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>

#include <cstdarg>

using tessera::test::fails;
using tessera::test::Outcome;
using tessera::test::outcome;
using tessera::test::part_of;
using tessera::test::path_of;

namespace {

/// The next function of that name: the C library's.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Writes the first half of the first piece.
ssize_t write_half(int file, const iovec* pieces, off_t at) {
    const iovec half{pieces->iov_base, (pieces->iov_len + 1) / 2};
    return at < 0 ? syscall(SYS_writev, file, &half, 1)
                  : syscall(SYS_pwritev, file, &half, 1, at, 0);
}

/// Closes all the same, as the system does.
template <class File>
int close_and_fail(const char* call, int (*close)(File), File file) {
    const bool fault = fails(call, path_of(file));
    const int reason = errno;
    const int result = close(file);
    if (fault) errno = reason;
    return fault ? -1 : result;
}

}  // namespace

// Each macro defines a function that calls the C library's of the same name, unless its turn has
// come.
#define TESSERA_MAY_FAIL(Result, failed, name, parameters, path, arguments)                        \
    extern "C" Result name parameters {                                                            \
        static auto* const then = next<Result parameters>(#name);                                  \
        if (fails(#name, path_of path)) return failed;                                             \
        return then arguments;                                                                     \
    }

#define TESSERA_IN int folder,
#define TESSERA_IN_ARGUMENT folder,
#define TESSERA_NOTHING
#define TESSERA_MAY_FAIL_TO_OPEN(name, in, in_argument)                                            \
    extern "C" int name(in const char* path, int flags, ...) {                                     \
        static auto* const then = next<int(in const char*, int, ...)>(#name);                      \
        std::va_list rest;                                                                         \
        va_start(rest, flags);                                                                     \
        const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;       \
        va_end(rest);                                                                              \
        const char* call = (flags & O_CREAT) != 0 ? "create" : "open";                             \
        return fails(call, path_of(in_argument path)) ? -1 : then(in_argument path, flags, mode);  \
    }

#define TESSERA_MAY_FAIL_TO_OPEN_STREAM(name)                                                      \
    extern "C" std::FILE* name(const char* path, const char* mode) {                               \
        static auto* const then = next<std::FILE*(const char*, const char*)>(#name);               \
        return fails(*mode == 'r' ? "open" : "create", path_of(path)) ? nullptr                    \
                                                                      : then(path, mode);          \
    }

#define TESSERA_AT , off_t at
#define TESSERA_AT_ARGUMENT , at
#define TESSERA_MAY_BE_SHORT(name, call, Bytes, more, more_argument)                               \
    extern "C" ssize_t name(int file, Bytes bytes, std::size_t count more) {                       \
        static auto* const then = next<ssize_t(int, Bytes, std::size_t more)>(#name);              \
        const Outcome found = outcome(call, path_of(file));                                        \
        if (found == Outcome::fails) return -1;                                                    \
        return then(file, bytes, part_of(count, found) more_argument);                             \
    }

#define TESSERA_MAY_BE_SHORT_OF_PIECES(name, more, more_argument, at)                              \
    extern "C" ssize_t name(int file, const iovec* pieces, int count more) {                       \
        static auto* const then = next<ssize_t(int, const iovec*, int more)>(#name);               \
        const Outcome found = outcome("write", path_of(file));                                     \
        if (found == Outcome::fails) return -1;                                                    \
        if (found == Outcome::is_short) return write_half(file, pieces, at);                       \
        return then(file, pieces, count more_argument);                                            \
    }

TESSERA_MAY_FAIL_TO_OPEN(open, TESSERA_NOTHING, TESSERA_NOTHING)
TESSERA_MAY_FAIL_TO_OPEN(open64, TESSERA_NOTHING, TESSERA_NOTHING)
TESSERA_MAY_FAIL_TO_OPEN(openat, TESSERA_IN, TESSERA_IN_ARGUMENT)
TESSERA_MAY_FAIL_TO_OPEN(openat64, TESSERA_IN, TESSERA_IN_ARGUMENT)
TESSERA_MAY_FAIL_TO_OPEN_STREAM(fopen)
TESSERA_MAY_FAIL_TO_OPEN_STREAM(fopen64)

TESSERA_MAY_BE_SHORT(read, "read", void*, TESSERA_NOTHING, TESSERA_NOTHING)
TESSERA_MAY_BE_SHORT(pread, "read", void*, TESSERA_AT, TESSERA_AT_ARGUMENT)
TESSERA_MAY_BE_SHORT(pread64, "read", void*, TESSERA_AT, TESSERA_AT_ARGUMENT)
TESSERA_MAY_BE_SHORT(write, "write", const void*, TESSERA_NOTHING, TESSERA_NOTHING)
TESSERA_MAY_BE_SHORT(pwrite, "write", const void*, TESSERA_AT, TESSERA_AT_ARGUMENT)
TESSERA_MAY_BE_SHORT(pwrite64, "write", const void*, TESSERA_AT, TESSERA_AT_ARGUMENT)
TESSERA_MAY_BE_SHORT_OF_PIECES(writev, TESSERA_NOTHING, TESSERA_NOTHING, -1)
TESSERA_MAY_BE_SHORT_OF_PIECES(pwritev, TESSERA_AT, TESSERA_AT_ARGUMENT, at)
TESSERA_MAY_BE_SHORT_OF_PIECES(pwritev64, TESSERA_AT, TESSERA_AT_ARGUMENT, at)

extern "C" std::size_t fwrite(const void* bytes, std::size_t size, std::size_t count,
                              std::FILE* file) {
    static auto* const then =
        next<std::size_t(const void*, std::size_t, std::size_t, std::FILE*)>("fwrite");
    const Outcome found = outcome("fwrite", path_of(file));
    return found == Outcome::fails ? 0 : then(bytes, size, part_of(count, found), file);
}

extern "C" int close(int file) {
    static auto* const then = next<int(int)>("close");
    return close_and_fail("close", then, file);
}

extern "C" int fclose(std::FILE* file) {
    static auto* const then = next<int(std::FILE*)>("fclose");
    return close_and_fail("fclose", then, file);
}

TESSERA_MAY_FAIL(int, EOF, fflush, (std::FILE * file), (file), (file))
TESSERA_MAY_FAIL(int, -1, fsync, (int file), (file), (file))
TESSERA_MAY_FAIL(int, -1, fdatasync, (int file), (file), (file))
TESSERA_MAY_FAIL(int, -1, ftruncate, (int file, off_t size), (file), (file, size))
TESSERA_MAY_FAIL(int, -1, ftruncate64, (int file, off_t size), (file), (file, size))
TESSERA_MAY_FAIL(int, -1, flock, (int file, int how), (file), (file, how))
TESSERA_MAY_FAIL(int, -1, rename, (const char* from, const char* to), (to), (from, to))
TESSERA_MAY_FAIL(int, -1, renameat2,
                 (int from_folder, const char* from, int folder, const char* to, unsigned how),
                 (folder, to), (from_folder, from, folder, to, how))
TESSERA_MAY_FAIL(int, -1, link, (const char* from, const char* to), (to), (from, to))
TESSERA_MAY_FAIL(int, -1, unlink, (const char* path), (path), (path))
TESSERA_MAY_FAIL(int, -1, remove, (const char* path), (path), (path))
TESSERA_MAY_FAIL(int, -1, unlinkat, (int folder, const char* path, int how), (folder, path),
                 (folder, path, how))
TESSERA_MAY_FAIL(int, -1, mkdir, (const char* path, mode_t mode), (path), (path, mode))
TESSERA_MAY_FAIL(int, -1, access, (const char* path, int how), (path), (path, how))
TESSERA_MAY_FAIL(int, -1, stat, (const char* path, struct stat* into), (path), (path, into))
TESSERA_MAY_FAIL(int, -1, lstat, (const char* path, struct stat* into), (path), (path, into))
TESSERA_MAY_FAIL(int, -1, fstat, (int file, struct stat* into), (file), (file, into))
TESSERA_MAY_FAIL(int, -1, stat64, (const char* path, struct stat64* into), (path), (path, into))
TESSERA_MAY_FAIL(int, -1, lstat64, (const char* path, struct stat64* into), (path), (path, into))
TESSERA_MAY_FAIL(int, -1, fstat64, (int file, struct stat64* into), (file), (file, into))
TESSERA_MAY_FAIL(int, -1, statvfs, (const char* path, struct statvfs* into), (path), (path, into))
TESSERA_MAY_FAIL(dirent*, nullptr, readdir, (DIR * folder), (folder), (folder))
