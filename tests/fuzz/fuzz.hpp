// What the fuzz targets share: promises that must hold, errors of one line, and bytes as a file.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace tessera::fuzz {

inline void require(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "a promise is broken: %s\n", promise);
    std::abort();
}

/// Returns normally, or by an Error of one line that blames the input, or what is said.
template <class Read>
void expect_line(Read&& read, ExitCode blamed = ExitCode::usage) {
    try {
        read();
    } catch (const Error& error) {
        const std::string_view line = error.what();
        require(!line.empty() && line.find_first_of("\r\n") == line.npos, "an error is one line");
        require(error.code() == blamed, "an error blames what is to blame");
    }
}

/// A file in memory, for readers that take a path. One for all inputs of a target: opening is what
/// costs time.
class MemoryFile {
  public:
    MemoryFile() : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
        require(file_ >= 0, "there is room for a file in memory");
    }
    ~MemoryFile() { close(file_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    /// Path of the file, which now holds `bytes`.
    std::string with(std::string_view bytes) const {
        const auto size = static_cast<ssize_t>(bytes.size());
        require(ftruncate(file_, 0) == 0 && pwrite(file_, bytes.data(), bytes.size(), 0) == size,
                "there is room for a file in memory");
        return "/proc/self/fd/" + std::to_string(file_);
    }

  private:
    int file_;
};

}  // namespace tessera::fuzz
