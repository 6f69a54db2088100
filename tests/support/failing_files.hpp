// Which call on files fails, and how: the orders of failing_files.cpp.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace tessera::test {

inline std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

struct Orders {
    std::string folder = variable("TESSERA_FAIL_FOLDER");
    std::string log = variable("TESSERA_FAIL_LOG");
    std::string with = variable("TESSERA_FAIL_WITH");
    long at = std::atol(variable("TESSERA_FAIL_AT").c_str());
    bool mine =
        !folder.empty() && variable("TESSERA_FAIL_RANK") == variable("OMPI_COMM_WORLD_RANK");
    bool stays = with.ends_with("+");
    std::atomic<long> calls = 0;

    bool concern(const std::string& path) const {
        return mine && (path == folder || path.starts_with(folder + "/"));
    }
};

/// Lives as long as the process, whose last calls come after all destructors.
inline Orders& orders() {
    static Orders& only = *new Orders;
    return only;
}

/// By system calls of its own, which no one counts.
inline void note(long number, const char* call, const std::string& path) {
    const std::string line = std::to_string(number) + " " + call + " " + path + "\n";
    const long file = syscall(SYS_openat, AT_FDCWD, orders().log.c_str(),
                              O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    syscall(SYS_write, file, line.data(), line.size());
    syscall(SYS_close, file);
}

enum class Outcome { as_asked, fails, is_short, ends };

/// Whether the call needs room on the disk.
inline bool adds(const std::string& call) {
    return call == "create" || call == "write" || call == "fwrite" || call == "mkdir" ||
           call == "ftruncate" || call == "ftruncate64" || call == "fsync" || call == "fdatasync";
}

/// What becomes of this call; errno is set where it fails.
inline Outcome outcome(const char* call, const std::string& path) {
    Orders& given = orders();
    if (!given.concern(path)) return Outcome::as_asked;
    const int before = errno;
    const long number = ++given.calls;
    const bool is_first = number == given.at;
    const bool has_its_turn = is_first || (given.stays && number > given.at && adds(call));
    if (is_first || given.at == 0) note(number, call, path);
    errno = before;
    if (!has_its_turn) return Outcome::as_asked;
    if (given.with == "short") return Outcome::is_short;
    if (given.with == "end") return Outcome::ends;
    errno = std::atoi(given.with.c_str());
    return Outcome::fails;
}

inline bool fails(const char* call, const std::string& path) {
    return outcome(call, path) == Outcome::fails;
}

inline std::size_t part_of(std::size_t count, Outcome found) {
    return found == Outcome::ends ? 0 : found == Outcome::is_short ? (count + 1) / 2 : count;
}

inline std::string path_of(int descriptor) {
    char text[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const int before = errno;
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link.c_str(), text, sizeof(text));
    errno = before;
    return length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "";
}

inline std::string path_of(std::FILE* file) { return file ? path_of(fileno(file)) : ""; }

inline std::string path_of(DIR* folder) { return path_of(dirfd(folder)); }

inline std::string path_of(int folder, const char* path) {
    if (!path || !*path) return path_of(folder);
    if (*path == '/') return path;
    char here[4096];
    const bool is_here = folder == AT_FDCWD && syscall(SYS_getcwd, here, sizeof(here)) > 0;
    return (is_here ? std::string(here) : path_of(folder)) + "/" + path;
}

inline std::string path_of(const char* path) { return path_of(AT_FDCWD, path); }

}  // namespace tessera::test
